// Draws a position as SVG: all layers, pieces and lights, in millimetres of the table.
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
export const GUILDS = ["navigators", "incandescents", "icewalkers", "nurturers", "cryoarchitects"];
export const COLOURS = { navigators: "#1f6fd6", incandescents: "#d63a2f", icewalkers: "#8a3fc0", nurturers: "#2f9a4a", cryoarchitects: "#d9b400", neutral: "#ffffff" };
export const INITIALS = { navigators: "N", incandescents: "I", icewalkers: "W", nurturers: "U", cryoarchitects: "C", neutral: "" };
const MARKS = { tunnel: "◎", nunatak: "▲", campsite: "⌂", exalted: "☼", achievement: "★", philosophical: "Φ", obliteration: "✕", harmony: "♪", prismatic: "✦", unknown: "?" };
const PALETTE = JSON.parse(document.getElementById("palette")?.textContent || "{}"); // another palette than the usual one, as the strip has it
const lightColour = ({ role, colour }) => PALETTE[role] ?? colour;
const LAYERS = ["azulia", "edge.azulia", "deep", "edge.deep", "surface", "edge.surface", "snow"];

export const kindName = (kind) => ({
  empty: t("empty snow"), tunnel: t("tunnel"), crevasse: t("crevasse"), nunatak: t("nunatak"), campsite: t("campsite"),
  exalted: t("Exalted"), achievement: t("Achievement"), philosophical: t("Philosophical"), obliteration: t("Obliteration"),
  harmony: t("Harmony"), prismatic: t("prismatic"), unknown: t("not told"),
}[kind] ?? kind);

export const guildName = (guild) => ({
  navigators: t("Navigators"), incandescents: t("Incandescents"), icewalkers: t("Icewalkers"), nurturers: t("Nurturers"),
  cryoarchitects: t("Cryoarchitects"), neutral: t("neutral"), table: t("the table"),
}[guild] ?? guild);

export const roleName = (role) => ({
  illegal: t("illegal"), "take away": t("take away"), "put here": t("put here"), collapsed: t("collapsed"), "your leader": t("your leader"),
  "legal dig": t("legal dig"), "legal move": t("legal move"), hint: t("hint"), waiting: t("waiting"),
}[role] ?? role);

export function spotName(spot) {
  const [layer, cell] = spot.split(":"), facts = { cell: cell.replaceAll(",", "·") };
  return ({
    snow: t("snow {cell}", facts), surface: t("surface {cell}", facts), deep: t("deep {cell}", facts), azulia: t("Azulia {cell}", facts),
    "edge.surface": t("upper edge {cell}", facts), "edge.deep": t("middle edge {cell}", facts), "edge.azulia": t("lower edge {cell}", facts),
  }[layer] ?? spot);
}

export function describe(spot, position, lights = {}) {
  const tile = position.tiles[spot], pieces = position.pieces[spot] || {}, parts = [spotName(spot)];
  if (tile) parts.push(kindName(tile.kind));
  for (const guild of pieces.leaders || []) parts.push(t("leader of {guild}", { guild: guildName(guild) }));
  const count = pieces.archaeologists || 0;
  if (count) parts.push(t("{count} {count:archaeologist|archaeologists}", { count }));
  if (pieces.camp) parts.push(t("camp: {owner}", { owner: guildName(pieces.camp) }));
  if (lights[spot]) parts.push(roleName(lights[spot].role));
  return parts.join(", ");
}

export function make(name, attributes = {}, parent = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}
const corners = (outline, centre, share = 1) => outline.map(([x, y]) => `${(centre[0] + (x - centre[0]) * share).toFixed(1)},${(-(centre[1] + (y - centre[1]) * share)).toFixed(1)}`).join(" ");

// the middle of the visible thirds of a place: where nothing covers it
function openCentre(place, tiles) {
  const open = place.covers.filter((spot) => !tiles[spot]).map((spot) => place.coverCentres[spot]);
  if (!open.length || open.length === place.covers.length) return place.centre;
  const [x, y] = open.reduce(([sx, sy], [ox, oy]) => [sx + ox / open.length, sy + oy / open.length], [0, 0]);
  const share = open.length === 1 ? .62 : .4;
  return [place.centre[0] + (x - place.centre[0]) * share, place.centre[1] + (y - place.centre[1]) * share];
}
const isOpen = (place, tiles) => !place.covers.length || place.covers.some((spot) => !tiles[spot]);

// a light around a place; where tiles lie on part of it, a smaller one around the part that is seen
function lightOutline(place, tiles) {
  const [x, y] = openCentre(place, tiles), [cx, cy] = place.centre;
  if (x === cx && y === cy) return corners(place.outline, place.centre, .88);
  return corners(place.outline.map(([px, py]) => [px - cx + x, py - cy + y]), [x, y], .46);
}

export function drawPiece(parent, kind, guild, x, y, size, spot) {
  const group = make("g", { class: "piece", "data-piece": guild ? `${kind}.${guild}` : kind, "data-at": spot || "" }, parent);
  const style = { fill: guild ? COLOURS[guild] : "#d8a468", stroke: "#111", "stroke-width": .8 };
  if (kind === "camp") make("path", { ...style, d: `M${x - size * .17},${y + size * .12} L${x},${y - size * .18} L${x + size * .17},${y + size * .12} Z` }, group);
  else if (kind === "leader") make("path", { ...style, d: `M${x - size * .13},${y + size * .15} Q${x - size * .1},${y - size * .02} ${x - size * .06},${y - size * .04} A${size * .09},${size * .09} 0 1 1 ${x + size * .06},${y - size * .04} Q${x + size * .1},${y - size * .02} ${x + size * .13},${y + size * .15} Z` }, group);
  else make("circle", { ...style, cx: x, cy: y, r: size * .085 }, group);
  if (guild && INITIALS[guild]) make("text", { x, y: y + size * .12, "font-size": size * .15, "text-anchor": "middle", class: "initial" }, group).textContent = INITIALS[guild];
  return group;
}

function drawPieces(parent, place, pieces, tiles, size) {
  const items = [];
  if (pieces.camp) items.push(["camp", pieces.camp]);
  for (const guild of pieces.leaders || []) items.push(["leader", guild]);
  const count = pieces.archaeologists || 0;
  for (let k = 0; k < Math.min(count, 5); k++) items.push(["archaeologist", null]);
  const [cx, cy] = openCentre(place, tiles), narrow = place.covers.filter((spot) => tiles[spot]).length === 2;
  items.forEach(([kind, guild], k) => {
    const marked = MARKS[tiles[place.spot]?.kind], alone = items.length === 1; // beside the tile's own mark, not on it
    const ring = alone && !marked ? 0 : size * (narrow ? .15 : .26), angle = alone ? -Math.PI / 2 : 2 * Math.PI * k / items.length + .6;
    drawPiece(parent, kind, guild, cx + ring * Math.cos(angle), -(cy + ring * Math.sin(angle)), size * (narrow ? .8 : 1), place.spot);
  });
  if (count > 1) {
    const badge = make("g", { class: "badge" }, parent), x = cx + size * .3, y = -(cy + size * .3);
    make("circle", { cx: x, cy: y, r: size * .11, fill: "#14202b" }, badge);
    make("text", { x, y: y + size * .055, "font-size": size * .15, "text-anchor": "middle", fill: "#fff" }, badge).textContent = count;
  }
}

function drawTile(group, place, tile, tiles, layer, size) {
  const [x, y] = openCentre(place, tiles), mark = MARKS[tile.kind];
  if (mark && isOpen(place, tiles)) make("text", { x, y: -y + size * .11, "font-size": size * .32, "text-anchor": "middle", class: `mark mark-${layer}` }, group).textContent = mark;
  if (tile.kind !== "crevasse") return;
  const radius = size / Math.sqrt(3) * .9, [cx, cy] = place.centre;
  if (tile.rotation === undefined) { make("text", { x: cx, y: -cy + size * .1, "font-size": size * .26, "text-anchor": "middle", class: "mark" }, group).textContent = "⌁?"; return; }
  for (const side of [0, 1]) {
    const a = (60 * (tile.rotation + side) - 30) * Math.PI / 180, steps = [];
    for (let k = 0; k <= 6; k++) {
      const b = a + k / 6 * Math.PI / 3, edge = radius * Math.cos(Math.PI / 6) / Math.cos(b - a - Math.PI / 6), r = edge * (k % 2 ? .86 : .98);
      steps.push(`${(cx + r * Math.cos(b)).toFixed(1)},${(-(cy + r * Math.sin(b))).toFixed(1)}`);
    }
    make("polyline", { points: steps.join(" "), class: "crack" }, group);
  }
}

export function draw(svg, layout, view, { picked = null, onPick = () => {}, marked = [], lifted = [] } = {}) {
  const { position, lights = {} } = view, [width, height] = layout.size, size = layout.tile;
  svg.setAttribute("viewBox", `${-width / 2 - 4} ${-height / 2 - 4} ${width + 8} ${height + 8}`);
  const focused = svg.contains(document.activeElement) ? document.activeElement.dataset.spot : null;
  svg.replaceChildren();
  const shown = [];
  for (const layer of LAYERS) for (const place of layout.byLayer[layer] || []) {
    const tile = position.tiles[place.spot], pieces = position.pieces[place.spot];
    if (place.takesTile && !tile && !pieces) continue;
    const group = make("g", { class: "spot" + (place.spot === picked ? " picked" : ""), "data-spot": place.spot, "aria-hidden": "true" }, svg);
    make("polygon", { points: corners(place.outline, place.centre, place.takesTile ? .985 : 1), class: place.takesTile ? `tile tile-${layer}` : `ground ground-${layer.startsWith("edge") ? "edge" : "azulia"}` }, group);
    if (tile) drawTile(group, place, tile, position.tiles, layer, size);
    group.addEventListener("click", () => onPick(place.spot));
    if (!isOpen(place, position.tiles) || (!place.takesTile && layer === "edge.surface" && !place.covers.some((spot) => !position.tiles[spot]))) continue;
    for (const [name, value] of [["role", "button"], ["tabindex", "-1"], ["aria-label", describe(place.spot, position, lights)]]) group.setAttribute(name, value);
    group.removeAttribute("aria-hidden");
    group.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); onPick(place.spot); } });
    shown.push({ place, group });
  }
  for (const [spot, light] of Object.entries(lights)) {
    const place = layout.places[spot];
    if (!place) continue;
    const points = lightOutline(place, position.tiles);
    make("polygon", { points, class: "glow" }, svg);
    make("polygon", { points, class: `light light-${light.role.replaceAll(" ", "-")}`, stroke: lightColour(light) }, svg);
  }
  for (const [spot, pieces] of Object.entries(position.pieces)) if (layout.places[spot]) drawPieces(svg, layout.places[spot], pieces, position.tiles, size);
  for (const spot of lifted) make("polygon", { points: corners(layout.places[spot].outline, layout.places[spot].centre, .97), class: "lifted" }, svg);
  for (const spot of marked) if (layout.places[spot]) make("polygon", { points: corners(layout.places[spot].outline, layout.places[spot].centre, .94), class: "marked" }, svg);
  walk(shown, shown.find(({ place }) => place.spot === (focused ?? picked)) ?? shown.find(({ place }) => lights[place.spot]) ?? shown[0], focused);
}

// one tab stop for the whole board; arrow keys go to the nearest place in that direction
function walk(shown, start, focused) {
  if (!start) return;
  start.group.setAttribute("tabindex", "0");
  if (focused && start.place.spot === focused) start.group.focus({ preventScroll: true });
  const STEPS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  for (const here of shown) here.group.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    let best = null, least = Infinity;
    for (const there of shown) {
      const dx = there.place.centre[0] - here.place.centre[0], dy = there.place.centre[1] - here.place.centre[1];
      const along = dx * step[0] + dy * step[1], across = Math.abs(dx * step[1]) + Math.abs(dy * step[0]);
      if (along > 1 && along + 2 * across < least) { least = along + 2 * across; best = there; }
    }
    if (!best) return;
    for (const other of shown) other.group.setAttribute("tabindex", "-1");
    best.group.setAttribute("tabindex", "0");
    best.group.focus();
  });
}

export function legend(list, lights = {}) {
  const seen = new Map(Object.values(lights).map((light) => [light.role, lightColour(light)]));
  list.replaceChildren(...[...seen].map(([role, colour]) => {
    const item = document.createElement("li"), swatch = make("svg", { viewBox: "0 0 24 14", width: 24, height: 14, "aria-hidden": "true" });
    make("rect", { x: 2, y: 2, width: 20, height: 10, rx: 3, class: `light light-${role.replaceAll(" ", "-")}`, stroke: colour }, swatch);
    item.append(swatch, roleName(role));
    return item;
  }));
}

export function prepare(raw) {
  const places = raw.places, byLayer = {};
  for (const [spot, place] of Object.entries(places)) {
    place.spot = spot;
    place.coverCentres = Object.fromEntries(place.covers.map((cover) => [cover, places[cover].centre]));
    (byLayer[place.layer] ||= []).push(place);
  }
  return { places, byLayer, size: raw.size, tile: raw.tile };
}
