// The score tables: filters, moving by arrow keys, and what a cell has to tell.
(() => {
  const grids = [...document.querySelectorAll(".grid-of-metric")];
  const tables = grids.map((grid) => grid.querySelector("table"));
  const tip = document.getElementById("tip");
  const element = (id) => document.getElementById(id);
  const value = (id) => (element(id) ? element(id).value.trim().toLowerCase() : "");

  // ---- filters
  const KINDS = { significant: "td.better, td.worse", flips: "td.flips" };

  const filterTable = (table) => {
    const wantedRow = value("row-filter");
    const wantedColumn = value("column-filter");
    const selector = KINDS[value("row-kind")];
    const hidden = [...table.tHead.rows[0].cells].map(
      (cell, index) => index > 0 && !cell.dataset.name.toLowerCase().includes(wantedColumn),
    );
    for (const row of table.rows) [...row.cells].forEach((cell, index) => { cell.hidden = hidden[index]; });
    let rows = 0;
    for (const row of table.tBodies[0].rows) {
      const matches = row.cells[0].textContent.toLowerCase().includes(wantedRow);
      row.hidden = !(matches && (!selector || [...row.querySelectorAll(selector)].some((cell) => !cell.hidden)));
      rows += !row.hidden;
    }
    const columns = hidden.filter((isHidden, index) => index > 0 && !isHidden).length;
    const total = table.tBodies[0].rows.length;
    element("grid-count").textContent = `${rows} of ${total} data sets, ${columns} of ${hidden.length - 1} recipes`;
  };

  const shownTable = () => tables[grids.findIndex((grid) => !grid.hidden)];
  const filter = () => { filterTable(shownTable()); resetStop(shownTable()); };
  for (const id of ["row-filter", "column-filter", "row-kind"]) element(id)?.addEventListener("input", filter);
  element("metric")?.addEventListener("input", (event) => {
    grids.forEach((grid, index) => { grid.hidden = index !== Number(event.target.value); });
    hideTip();
    filter();
  });

  // ---- one stop of the Tab key for a table, arrow keys inside it
  const target = (cell) => cell.querySelector("button") ?? cell;
  const lines = (table) => [...table.rows].filter((row) => !row.hidden);
  const cellsOf = (row) => [...row.cells].filter((cell) => !cell.hidden);

  const resetStop = (table) => {
    for (const cell of table.querySelectorAll("[tabindex='0']")) cell.tabIndex = -1;
    target(table.rows[0].cells[0]).tabIndex = 0;
  };

  const moveTo = (table, cell) => {
    for (const other of table.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    target(cell).tabIndex = 0;
    target(cell).focus();
  };

  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const clamp = (index, length) => Math.max(0, Math.min(length - 1, index));

  const onKey = (event) => {
    if (event.key === "Escape") { hideTip(); return; }
    const table = event.currentTarget;
    const cell = event.target.closest("th, td");
    const all = lines(table);
    const row = all.indexOf(cell.parentElement);
    const column = cellsOf(cell.parentElement).indexOf(cell);
    let goal = null;
    if (event.key in STEPS) {
      const [down, right] = STEPS[event.key];
      const line = cellsOf(all[clamp(row + down, all.length)]);
      goal = line[clamp(column + right, line.length)];
    } else if (event.key === "Home" || event.key === "End") {
      const line = cellsOf(event.ctrlKey ? all.at(event.key === "Home" ? 0 : -1) : cell.parentElement);
      goal = line.at(event.key === "Home" ? 0 : -1);
    }
    if (!goal) return;
    event.preventDefault();
    moveTo(table, goal);
  };

  // ---- what a cell tells
  let told = null;
  const hideTip = () => {
    told?.removeAttribute("aria-describedby");
    told = null;
    tip.hidden = true;
  };

  const showTip = (cell) => {
    if (!cell?.dataset.tip || cell === told) return;
    hideTip();
    told = cell;
    tip.replaceChildren(...cell.dataset.tip.split("\n").map((line) => {
      const text = document.createElement("div");
      text.textContent = line;
      return text;
    }));
    tip.hidden = false;
    cell.setAttribute("aria-describedby", "tip");
    placeTip();
  };

  const placeTip = () => {
    const place = told.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const below = place.bottom + 4 + height < window.innerHeight;
    tip.style.top = `${Math.max(4, below ? place.bottom + 4 : place.top - height - 4)}px`;
    tip.style.left = `${Math.max(8, Math.min(place.left, document.documentElement.clientWidth - width - 8))}px`;
  };

  for (const table of tables) {
    for (const button of table.querySelectorAll("button")) button.tabIndex = -1;
    for (const cell of table.querySelectorAll("tbody th, td, tfoot th")) cell.tabIndex = -1;
    resetStop(table);
    table.addEventListener("keydown", onKey);
    table.addEventListener("focusin", (event) => {
      for (const other of table.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
      event.target.tabIndex = 0;
      if (event.target.dataset.tip) showTip(event.target); else hideTip();
    });
    table.addEventListener("focusout", hideTip);
    table.addEventListener("mouseover", (event) => {
      const cell = event.target.closest("td");
      if (cell?.dataset.tip) showTip(cell); else hideTip();
    });
    table.addEventListener("mouseleave", (event) => { if (event.relatedTarget !== tip) hideTip(); });
    table.closest(".scroll").addEventListener("scroll", () => {
      if (told && told === document.activeElement) placeTip(); else hideTip();
    });
  }
  tip.addEventListener("mouseleave", hideTip);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
})();
