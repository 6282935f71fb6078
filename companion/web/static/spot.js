// The panel about one spot: what can happen there, why not, and one tap to correct what is believed.
import { GUILDS, guildName, kindName, spotName } from "./board.js";
import { button, element } from "./page.js";
import { t } from "./words.js";

const SNOW = ["empty", "tunnel", "crevasse", "nunatak", "campsite"];
const ARTIFACTS = ["exalted", "achievement", "philosophical", "obliteration", "harmony", "prismatic"];

function refusalLine(item) {
  const line = element("li"), what = element("strong", item.label);
  line.append(what, element("br"), item.say, " ", element("span", item.rule, { class: "rule", title: item.title }));
  return line;
}

// answer = what /api/v1/why gives; act = null for those who only look
export function whyPanel(answer, dig, act) {
  const parts = [];
  if (dig) {
    parts.push(element("p", dig.breakdown, { class: "cost" }));
    if (dig.collapses.length) parts.push(element("p", t("If it is dug, {count} {count:tile falls|tiles fall}: {spots}.", { count: dig.collapses.length, spots: dig.collapses.map(spotName).join(", ") })));
  }
  if (answer.can.length) {
    const list = element("ul", undefined, { class: "actions" });
    for (const action of answer.can) {
      const item = element("li");
      item.append(act ? button(action.label, () => act(action.line)) : action.label, ...action.warnings.map((text) => element("p", text, { class: "warning" })));
      list.append(item);
    }
    parts.push(element("h3", t("Possible here")), list);
  } else parts.push(element("p", t("Nothing can happen here now.")));
  if (answer.cannot.length) {
    const box = element("details"), list = element("ul", undefined, { class: "reasons" });
    list.append(...answer.cannot.map(refusalLine));
    box.open = !answer.can.length;
    box.append(element("summary", t("Why not something else?")), list);
    parts.push(box);
  }
  return parts;
}

function choice(label, name, options, chosen) {
  const box = element("label", label), select = element("select", undefined, { name });
  for (const [value, text] of options) { const option = element("option", text, { value }); option.selected = value === String(chosen ?? ""); select.append(option); }
  box.append(select);
  return box;
}

// a form to say what really lies and stands on a spot
export function correction(spot, place, position, send) {
  const box = element("details"), form = element("form", undefined, { class: "correct" });
  const tile = position.tiles[spot], pieces = position.pieces[spot] || {};
  if (place.takesTile) {
    const kinds = place.layer === "snow" ? SNOW : ARTIFACTS;
    form.append(choice(t("Tile"), "kind", [["", t("no tile")], ...kinds.map((kind) => [kind, kindName(kind)])], tile?.kind));
    form.append(choice(t("Turned by"), "rotation", [["", t("not told")], ...[0, 1, 2, 3, 4, 5].map((turn) => [String(turn), `${turn * 60}°`])], tile?.rotation));
  }
  const count = element("label", t("Archaeologists"));
  count.append(element("input", undefined, { name: "archaeologists", type: "number", min: 0, max: 45, value: pieces.archaeologists || 0 }));
  form.append(count);
  const owners = position.seats.map((seat) => seat.guild);
  if (place.takesTile) form.append(choice(t("Camp"), "camp", [["", t("no camp")], ["neutral", guildName("neutral")], ...owners.map((guild) => [guild, guildName(guild)])], pieces.camp));
  const leaders = element("fieldset");
  leaders.append(element("legend", t("Leaders")));
  for (const guild of GUILDS.filter((name) => owners.includes(name))) {
    const label = element("label"), tick = element("input", undefined, { type: "checkbox", name: "leader", value: guild });
    tick.checked = (pieces.leaders || []).includes(guild);
    label.append(tick, ` ${guildName(guild)}`);
    leaders.append(label);
  }
  form.append(leaders, element("button", t("This is how it really is"), { type: "submit" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(form), change = { tiles: {}, pieces: {} };
    if (place.takesTile) {
      const kind = data.get("kind"), rotation = data.get("rotation");
      change.tiles[spot] = kind ? { kind, ...(rotation === "" ? {} : { rotation: Number(rotation) }) } : null;
    }
    change.pieces[spot] = { archaeologists: Number(data.get("archaeologists")) || 0, leaders: data.getAll("leader"), ...(data.get("camp") ? { camp: data.get("camp") } : {}) };
    box.open = false; // filled in: the panel may be drawn anew
    send("fix", change);
  });
  box.append(element("summary", t("Correct this place")), form);
  return box;
}
