// Tables that sort by their headings, and tables whose rows can be filtered.
(() => {
  const NUMBER = /^\s*[<+\u2212-]?\s*(\d+(\.\d+)?([eE][+-]?\d+)?|inf)/;

  // the number that a cell shows or carries, its text where there is none, null for an empty one
  const key = (cell) => {
    if (cell.dataset.value !== undefined) return Number(cell.dataset.value.replace("inf", "Infinity"));
    const text = cell.textContent.trim();
    if (text === "" || text === "-" || text === "?") return null;
    if (cell.tagName === "TH" || !NUMBER.test(text)) return text;
    const number = parseFloat(text.replace("\u2212", "-").replace("<", "").replace("inf", "Infinity"));
    return Number.isNaN(number) ? text : number;
  };

  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a === b ? 0 : a < b ? -1 : 1;
    return String(a).localeCompare(String(b), undefined, { numeric: true });
  };

  const sort = (heading) => {
    const table = heading.closest("table");
    const body = table.tBodies[0];
    const column = heading.cellIndex;
    const direction = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    const rows = [...body.rows].map((row) => [key(row.cells[column]), row]);
    rows.sort(([a], [b]) => {
      // what is missing stays at the end
      if (a === null || b === null) return (a === null) - (b === null);
      return direction * compare(a, b);
    });
    body.append(...rows.map(([, row]) => row));
    for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    table.dispatchEvent(new CustomEvent("sorted"));
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.sort");
    if (button) sort(button.closest("th"));
  });

  for (const input of document.querySelectorAll("input[data-filter]")) {
    const rows = [...document.getElementById(input.dataset.filter).tBodies[0].rows];
    const count = document.querySelector(`[data-count="${input.dataset.filter}"]`);
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
      count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} lines`;
    });
  }
})();
