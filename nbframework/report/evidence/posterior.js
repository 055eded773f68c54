// The posterior of the case, in sight wherever one is.

const posteriorRows = classes.map((name, code) => {
  const row = {
    fill: h("i", { class: `fill ${classLook(code)}` }),
    number: h("output", { class: "number" }),
    mark: h("span", { class: "mark" }, "predicted"),
  };
  row.item = h("li", {},
    h("span", { class: "who" }, h("span", { class: "name" }, name), row.mark),
    row.number,
    h("span", { class: "track", "aria-hidden": "true" }, row.fill));
  byId("posterior-bars").append(row.item);
  return row;
});

whenChanged(() => {
  const logs = currentPosterior();
  const winner = predicted(logs);
  posteriorRows.forEach((row, code) => {
    const share = Math.exp(logs[code]);
    row.fill.style.setProperty("inline-size", `${100 * share}%`);
    row.number.textContent = posteriorText(logs, code);
    row.mark.hidden = code !== winner;
    row.item.classList.toggle("winner", code === winner);
    Object.assign(row.item.dataset, { class: classes[code], posterior: String(share), logPosterior: String(logs[code]) });
  });
  byId("status").textContent = `Predicted: ${classes[winner]}, ${posteriorText(logs, winner)}`;
});
