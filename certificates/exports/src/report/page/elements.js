// ---- Elements: the only way in which the page is made. Texts become text nodes, never markup. ----

const drawingLanguage = document.getElementById("drawing-language").namespaceURI;

function attach(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child);
  }
  return element;
}

// An element of HTML: `make("p", { class: "note" }, "text", child)`.
function make(tag, attributes, ...children) {
  return attach(document.createElement(tag), attributes, children);
}

// An element of SVG.
function draw(tag, attributes, ...children) {
  return attach(document.createElementNS(drawingLanguage, tag), attributes, children);
}

function button(text, action, attributes) {
  return make("button", { type: "button", onclick: action, ...attributes }, text);
}

// A `select` with options `[value, text]`.
function choice(label, options, value, action) {
  const select = make("select", { "aria-label": label, onchange: () => action(select.value) },
    options.map(([own, text]) => make("option", { value: own, selected: String(own) === String(value) }, text)));
  return select;
}

function plural(count, word, words = `${word}s`) {
  return count === 1 ? `1 ${word}` : `${count.toLocaleString("en")} ${words}`;
}

function cut(text, longest) {
  const letters = Array.from(text);
  return letters.length <= longest ? text : letters.slice(0, longest - 1).join("") + "…";
}

// A button that puts a text into the clipboard, where the browser lets it.
function copyButton(text) {
  const own = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(text());
      own.textContent = "Copied";
    } catch {
      own.textContent = "Not allowed";
    }
    setTimeout(() => { own.textContent = "Copy"; }, 1500);
  }, { class: "quiet" });
  return own;
}
