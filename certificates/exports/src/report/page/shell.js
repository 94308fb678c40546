// ---- The shell: what is selected, what is filtered, which tab is shown, and who wants to know. ----

const state = {
  tab: null,
  // In the words of `select`: a node, an edge, a cluster or nothing.
  selected: null,
  process: "",
  transition: "",
};

const watchers = [];

function watch(action) {
  watchers.push(action);
}

function changed(what) {
  for (const action of watchers) action(what);
}

// Whether a transition passes the filters.
function passes(transition) {
  if (state.transition !== "" && Number(state.transition) !== transition) return false;
  return state.process === "" || report.transitions[transition].processes.includes(Number(state.process));
}

function isFiltered() {
  return state.process !== "" || state.transition !== "";
}

// Says something to those who listen to the page.
const announcer = make("div", { class: "unseen", role: "status", "aria-live": "polite" });

function announce(text) {
  announcer.textContent = text;
}

// ---- Light and dark ----

function prefersDark() {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

function themeButton() {
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (prefersDark() ? "dark" : "light")) === "dark";
  const own = button("", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  }, { id: "theme", class: "quiet" });
  const show = () => {
    own.textContent = isDark() ? "Light" : "Dark";
    own.setAttribute("aria-label", isDark() ? "switch to light colours" : "switch to dark colours");
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
  return own;
}

// ---- Tabs ----

const tabs = [];
const tabList = make("div", { role: "tablist", "aria-label": "parts of the report", class: "tabs" });
const panels = make("main", {});

// Adds a tab; its content is made when it is shown for the first time.
function addTab(id, name, build) {
  const tab = { id, built: false, build };
  tab.button = make("button", {
    type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, "aria-selected": "false", tabindex: "-1",
    onclick: () => showTab(id),
    onkeydown: (event) => moveTab(event, tab),
  }, name);
  tab.panel = make("section", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`, hidden: true, class: `panel ${id.split("-")[0]}` });
  tabs.push(tab);
  tabList.append(tab.button);
  panels.append(tab.panel);
}

function moveTab(event, tab) {
  const index = tabs.indexOf(tab);
  const last = tabs.length - 1;
  const next = { ArrowRight: index === last ? 0 : index + 1, ArrowLeft: index === 0 ? last : index - 1, Home: 0, End: last }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  showTab(tabs[next].id);
  tabs[next].button.focus();
}

function showTab(id) {
  for (const tab of tabs) {
    const isShown = tab.id === id;
    tab.button.setAttribute("aria-selected", String(isShown));
    tab.button.tabIndex = isShown ? 0 : -1;
    tab.panel.hidden = !isShown;
    if (isShown && !tab.built) {
      tab.built = true;
      tab.build(tab.panel);
    }
  }
  const shown = tabs.find((tab) => tab.id === id);
  shown.button.scrollIntoView({ block: "nearest", inline: "nearest" });
  state.tab = id;
  changed("tab");
}
