// Views, and the start.

const views = ["evidence", "nomogram", "changes", "arithmetic"].map((name) => ({
  tab: byId(`tab-${name}`), panel: byId(`view-${name}`), isStale: true, what: "parameters",
}));
const builders = [buildEvidence, classes.length > 1 ? buildNomogram : buildNothing, classes.length > 1 ? buildAlternatives : buildNothing, buildArithmetic];
let active = 0;

function buildNothing(panel) {
  panel.append(h("p", { class: "intro" }, "There is only one class."));
  return () => {};
}

function refresh() {
  const view = views[active];
  if (!view.isStale) return;
  view.refresh(view.what);
  Object.assign(view, { isStale: false, what: "case" });
}

function show(place) {
  active = place;
  views.forEach(({ tab, panel }, other) => {
    tab.setAttribute("aria-selected", String(other === place));
    tab.tabIndex = other === place ? 0 : -1;
    panel.hidden = other !== place;
  });
  refresh();
}

whenChanged((what) => {
  for (const view of views) {
    view.isStale = true;
    if (what === "parameters") view.what = what;
  }
  refresh();
});

views.forEach((view, place) => {
  view.refresh = builders[place](view.panel);
  view.tab.addEventListener("click", () => show(place));
  view.tab.addEventListener("keydown", (event) => {
    const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: views.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + views.length) % views.length;
    show(next);
    views[next].tab.focus();
  });
});

byId("sliders").open = matchMedia("(min-width: 60rem)").matches;
buildSliders();
changed("parameters");
buildCase();
performance.mark("ready");
