// Set up the tiles: take each layer, name the groups that look alike, tap single tiles to put them right.
import { $, button, element, post } from "./page.js";
import { t } from "./words.js";

const simulated = Boolean($("main").dataset.simulated), layers = $("layers").dataset.layers.split(" ").filter(Boolean);
let missing = $("layers").dataset.missing.split(" ").filter(Boolean), say = "";
const drafts = new Set($("layers").dataset.drafts.split(" ").filter(Boolean)); // taken, but not named yet
const layerName = (layer) => ({ azulia: t("the bare board"), deep: t("the deep layer"), surface: t("the surface layer"), snow: t("the snow layer") }[layer] ?? layer);

function showLayers() {
  $("layers").replaceChildren(...layers.map((layer) => {
    const item = element("li"), row = element("div", undefined, { class: "row" });
    item.append(`${missing.includes(layer) ? "○" : "✓"} ${layerName(layer)}`);
    if (simulated) row.append(button(t("Let the hands lay it"), () => run(layer, "lay", {})));
    row.append(button(t("Take the picture"), () => take(layer)));
    if (drafts.has(layer) && missing.includes(layer)) row.append(button(t("Name the groups"), () => again(layer)));
    item.append(row);
    return item;
  }));
}

async function run(layer, what, fields) {
  try { return await post(`/api/v1/setup/tiles/${layer}/${what}`, fields); } catch (error) { say = error.message; $("groups").replaceChildren(element("p", say, { class: "say", role: "alert" })); return null; }
}

async function again(layer) {
  const answer = await fetch(`/api/v1/setup/tiles/${layer}/groups`).catch(() => null);
  if (answer?.ok) showGroups(await answer.json());
}

async function take(layer, groups) {
  const found = await run(layer, "take", groups ? { groups } : {});
  if (!found) return;
  missing = found.missing;
  drafts.add(layer);
  showLayers();
  if (found.groups.length) showGroups(found);
  else $("groups").replaceChildren(element("p", `✓ ${t("The bare board is learnt.")}`, { class: "say" }));
}

function showGroups({ layer, groups, kinds }) {
  const choices = [], turns = groups.map(() => 0), corrections = {}, box = $("groups");
  const options = (chosen) => kinds.map(({ kind, say: name }) => { const one = element("option", name, { value: kind }); one.selected = kind === chosen; return one; });
  const cards = groups.map((members, number) => {
    const card = element("fieldset", undefined, { class: "group" }), choice = element("select", undefined, { "aria-label": t("What these tiles are") });
    choice.append(element("option", t("What are these?"), { value: "" }), ...options(""));
    choices.push(choice);
    const rotate = button(t("Turn"), () => { turns[number] = (turns[number] + 1) % 6; for (const one of card.querySelectorAll("img")) one.className = `turn-${turns[number]}`; });
    rotate.hidden = true;
    choice.addEventListener("change", () => { rotate.hidden = choice.value !== "crevasse"; });
    const pictures = element("div", undefined, { class: "prints" });
    for (const member of members) {
      const single = button("", () => correct(single, member));
      single.className = "print";
      single.setAttribute("aria-label", t("Tile {number}: put right", { number: member + 1 }));
      single.append(element("img", undefined, { src: `/api/v1/setup/tiles/${layer}/${member}.png?${Date.now()}`, width: 56, height: 56, alt: "" }));
      pictures.append(single);
    }
    card.append(element("legend", t("Group {number}: {count} {count:tile|tiles}", { number: number + 1, count: members.length })), pictures, choice, rotate);
    return card;
  });
  function correct(single, member) {
    if (single.nextElementSibling?.tagName === "SELECT") return;
    const choice = element("select", undefined, { "aria-label": t("Tile {number}: put right", { number: member + 1 }) });
    choice.append(element("option", t("as its group"), { value: "" }), ...options(""));
    choice.addEventListener("change", () => { if (choice.value) corrections[member] = choice.value; else delete corrections[member]; });
    single.after(choice);
    choice.focus();
  }
  const row = element("div", undefined, { class: "row" });
  row.append(button(t("More groups"), () => take(layer, groups.length + 2)), button(t("Fewer groups"), () => take(layer, Math.max(1, groups.length - 2))),
    button(t("These names are right"), () => name(layer, choices.map((one) => one.value), turns, corrections), { class: "main" }));
  box.replaceChildren(element("h3", layerName(layer)), element("p", t("Tiles that look alike are together. Name each group; tap a tile that is in the wrong one. Turn crevasses until the cracked sides point right and up right.")), ...cards, row);
}

async function name(layer, kinds, turns, corrections) {
  if (kinds.some((kind) => !kind)) { $("groups").append(element("p", t("Every group needs a name."), { class: "say", role: "alert" })); return; }
  const found = await run(layer, "name", { kinds, turns, corrections });
  if (!found) return;
  missing = found.missing;
  showLayers();
  const done = found.prints ? t("{count} {count:tile is|tiles are} learnt; the eye uses them from now on.", { count: found.prints }) : t("Learnt. Next: {layer}.", { layer: layerName(missing[0]) });
  $("groups").replaceChildren(element("p", `✓ ${done}`, { class: "say", role: "status" }));
}

$("leave-tiles").addEventListener("click", () => post("/api/v1/setup/tiles/leave").catch(() => {}));
showLayers();
