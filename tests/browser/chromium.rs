//! A headless Chromium, spoken to in its DevTools protocol through a pair of pipes: JSON messages that end with a zero byte.

use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::env;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long an answer may take before the test is given up.
const LONGEST_ANSWER: Duration = Duration::from_secs(120);

/// The variable that names the program.
const VARIABLE: &str = "CHROMIUM";

/// A browser with one page.
pub struct Browser {
    child: Child,
    input: RefCell<ChildStdin>,
    messages: Receiver<Value>,
    /// What the page did without being asked.
    events: RefCell<Vec<Value>>,
    next: Cell<u64>,
    session: RefCell<Option<String>>,
    _profile: TempDir,
}

/// The program, if there is one.
fn program() -> Option<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE) {
        return Some(named.into());
    }
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    folders
        .iter()
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

impl Browser {
    /// Starts a browser; says so and gives none where there is no Chromium.
    pub fn start() -> Option<Browser> {
        let Some(program) = program() else {
            eprintln!("skipped: there is no chromium (and ${VARIABLE} is not set)");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        // The browser reads messages from its third descriptor and writes to the fourth.
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null",
            ])
            .arg(program)
            .args([
                "--headless=new",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-default-apps",
                "--disable-extensions",
                "--disable-sync",
                "--hide-scrollbars",
                "--mute-audio",
                "--no-first-run",
                "--force-color-profile=srgb",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            while output
                .read_until(0, &mut bytes)
                .is_ok_and(|count| count > 0)
            {
                bytes.pop();
                let message = serde_json::from_slice(&bytes).unwrap();
                bytes.clear();
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let browser = Browser {
            child,
            input: RefCell::new(input),
            messages,
            events: RefCell::new(Vec::new()),
            next: Cell::new(1),
            session: RefCell::new(None),
            _profile: profile,
        };
        browser.attach();
        Some(browser)
    }

    fn attach(&self) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = self.call(
            "Target.attachToTarget",
            json!({ "targetId": target["targetId"], "flatten": true }),
        );
        *self.session.borrow_mut() = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    /// A call of the protocol and its result.
    pub fn call(&self, method: &str, parameters: Value) -> Value {
        let number = self.next.get();
        self.next.set(number + 1);
        let mut message = json!({ "id": number, "method": method, "params": parameters });
        if let Some(session) = &*self.session.borrow() {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.borrow_mut().write_all(&bytes).unwrap();
        loop {
            let answer = self
                .messages
                .recv_timeout(LONGEST_ANSWER)
                .unwrap_or_else(|_| panic!("no answer to {method}"));
            if answer["id"] == json!(number) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.events.borrow_mut().push(answer);
        }
    }

    /// The size of the window, in pixels.
    pub fn resize(&self, width: u32, height: u32) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
    }

    /// Opens a file and waits until its scripts are done; gives the time.
    pub fn open(&self, file: &Path) -> Duration {
        let begun = Instant::now();
        let url = format!("file://{}", file.display());
        self.call("Page.navigate", json!({ "url": url }));
        self.wait_for("document.body?.dataset.ready === '' && document.readyState === 'complete'");
        begun.elapsed()
    }

    /// The value of an expression in the page.
    pub fn evaluate(&self, expression: &str) -> Value {
        let answer = self.call(
            "Runtime.evaluate",
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        );
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait_for(&self, expression: &str) {
        let begun = Instant::now();
        while self.evaluate(expression) != json!(true) {
            assert!(
                begun.elapsed() < LONGEST_ANSWER,
                "it does not come true: {expression}\n{}",
                self.complaints()
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The text of the first element that a selector finds.
    pub fn text(&self, selector: &str) -> String {
        let value = self.evaluate(&format!(
            "document.querySelector({})?.textContent ?? 'nothing'",
            json!(selector)
        ));
        value.as_str().unwrap().to_owned()
    }

    /// Clicks in the middle of what a selector finds, as a mouse does.
    pub fn click(&self, selector: &str) {
        let point = self.evaluate(&format!(
            "(() => {{
                const element = document.querySelector({});
                if (!element) return null;
                if (!element.closest('.canvas')) element.scrollIntoView({{ block: 'center' }});
                const area = element.getBoundingClientRect();
                return [area.left + area.width / 2, area.top + area.height / 2];
            }})()",
            json!(selector)
        ));
        assert!(point.is_array(), "there is no {selector}");
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            self.call(
                "Input.dispatchMouseEvent",
                json!({ "type": kind, "x": point[0], "y": point[1], "button": button, "clickCount": 1 }),
            );
        }
    }

    /// Presses a key, as a keyboard does: a letter, or a name such as `Enter`.
    pub fn press(&self, key: &str) {
        self.press_with(key, 0);
    }

    /// Presses a key while others are held: 8 for the shift key.
    pub fn press_with(&self, key: &str, modifiers: u32) {
        let (text, code) = match key {
            "Enter" => ("\r", 13),
            "Tab" => ("", 9),
            "Escape" => ("", 27),
            "ArrowLeft" => ("", 37),
            "ArrowUp" => ("", 38),
            "ArrowRight" => ("", 39),
            "ArrowDown" => ("", 40),
            letter => (letter, 0),
        };
        let mut event = json!({ "type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers });
        if !text.is_empty() {
            event["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", event.clone());
        event["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", event);
    }

    /// Types a text.
    pub fn type_text(&self, text: &str) {
        for letter in text.chars() {
            self.press(&letter.to_string());
        }
    }

    /// Requests that went anywhere but to the files that were opened.
    pub fn foreign_requests(&self) -> Vec<String> {
        self.events
            .borrow()
            .iter()
            .filter(|event| event["method"] == "Network.requestWillBeSent")
            .filter_map(|event| event["params"]["request"]["url"].as_str())
            .filter(|url| !url.starts_with("file://") || !url.ends_with("report.html"))
            .map(str::to_owned)
            .collect()
    }

    /// Errors that scripts and policies have reported, as lines.
    pub fn complaints(&self) -> String {
        let mut text = String::new();
        for event in &*self.events.borrow() {
            if event["method"] == "Runtime.exceptionThrown" || event["method"] == "Log.entryAdded" {
                let _ = writeln!(text, "{}", event["params"]);
            }
        }
        text
    }

    /// What is seen, as a PNG in base 64.
    pub fn screenshot(&self) -> String {
        let answer = self.call(
            "Page.captureScreenshot",
            json!({ "format": "png", "optimizeForSpeed": false }),
        );
        answer["data"].as_str().unwrap().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
