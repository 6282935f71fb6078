// Draws a position as SVG: all layers, pieces and lights, in millimetres of the table.
const SVG = "http://www.w3.org/2000/svg";
const GUILD_COLOURS = { navigators: "#1f6fd6", incandescents: "#d63a2f", icewalkers: "#8a3fc0", nurturers: "#2f9a4a", cryoarchitects: "#d9b400", neutral: "#ffffff" };
const MARKS = { tunnel: "●", crevasse: "⌁", nunatak: "▲", campsite: "⌂", empty: "", exalted: "E", achievement: "A", philosophical: "P", obliteration: "O", harmony: "H", prismatic: "✦", unknown: "?" };

function make(name, attributes = {}, parent = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (parent) parent.append(element);
  return element;
}
const points = (outline, centre, share = 1) => outline.map(([x, y]) => `${(centre[0] + (x - centre[0]) * share).toFixed(1)},${(-(centre[1] + (y - centre[1]) * share)).toFixed(1)}`).join(" ");

// the visible thirds of a place: where nothing covers it (the covers' directions are a, b, c)
function openCentre(place, tiles) {
  const covered = place.covers.filter((spot) => tiles[spot]);
  if (!covered.length) return place.centre;
  const open = place.covers.filter((spot) => !tiles[spot]).map((spot) => place.coverCentres[spot]);
  if (!open.length) return place.centre;
  const [x, y] = open.reduce(([sx, sy], [ox, oy]) => [sx + ox / open.length, sy + oy / open.length], [0, 0]);
  return [place.centre[0] + (x - place.centre[0]) * .55, place.centre[1] + (y - place.centre[1]) * .55];
}

function drawPieces(group, place, pieces, tiles, size) {
  const items = [];
  if (pieces.camp) items.push(["camp", pieces.camp]);
  for (const guild of pieces.leaders || []) items.push(["leader", guild]);
  for (let k = 0; k < (pieces.archaeologists || 0); k++) items.push(["archaeologist", null]);
  const [cx, cy] = openCentre(place, tiles);
  items.forEach(([kind, guild], k) => {
    const ring = items.length === 1 ? 0 : size * .24, angle = 2 * Math.PI * k / items.length + .5;
    const x = cx + ring * Math.cos(angle), y = -(cy + ring * Math.sin(angle));
    const fill = guild ? GUILD_COLOURS[guild] : "#d8a468";
    const style = { fill, stroke: "#1a1a1a", "stroke-width": .7, class: "mark" };
    if (kind === "camp") make("path", { ...style, d: `M${x - size * .15},${y + size * .11} L${x},${y - size * .16} L${x + size * .15},${y + size * .11} Z` }, group);
    else make("circle", { ...style, cx: x, cy: y, r: kind === "leader" ? size * .125 : size * .085 }, group);
    if (kind === "leader") { const t = make("text", { x, y: y + size * .055, "font-size": size * .15, "text-anchor": "middle", fill: "#fff", class: "mark", stroke: "#000", "stroke-width": .15 }, group); t.textContent = guild[0].toUpperCase(); }
  });
}

export function describe(spot, position) {
  const tile = position.tiles[spot], pieces = position.pieces[spot] || {};
  const parts = [spot, tile ? tile.kind : "no tile"];
  if (pieces.leaders && pieces.leaders.length) parts.push("leader " + pieces.leaders.join(", "));
  if (pieces.archaeologists) parts.push(pieces.archaeologists + " archaeologists");
  if (pieces.camp) parts.push("camp " + pieces.camp);
  return parts.join(", ");
}

export function draw(svg, layout, snapshot, picked, onPick) {
  const { position, lights } = snapshot, [width, height] = layout.size;
  svg.setAttribute("viewBox", `${-width / 2 - 4} ${-height / 2 - 4} ${width + 8} ${height + 8}`);
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.spot : null;
  svg.replaceChildren();
  const size = layout.tile;
  for (const layer of layout.order) {
    for (const place of layout.byLayer[layer] || []) {
      const tile = position.tiles[place.spot], pieces = position.pieces[place.spot];
      if (place.takesTile && !tile && !pieces) continue;
      const group = make("g", { class: "spot" + (place.spot === picked ? " picked" : ""), tabindex: 0, role: "button", "data-spot": place.spot, "aria-label": describe(place.spot, position) }, svg);
      const kind = place.takesTile ? `tile tile-${layer}` : `ground ground-${layer.startsWith("edge") ? "edge" : "azulia"}`;
      make("polygon", { points: points(place.outline, place.centre, place.takesTile ? .985 : 1), class: kind }, group);
      if (tile) {
        const [tx, ty] = openCentre(place, position.tiles);
        const label = make("text", { x: tx, y: -ty + size * .1, "font-size": size * .3, "text-anchor": "middle", class: "mark", fill: layer === "deep" ? "#fff" : "#223" }, group);
        label.textContent = MARKS[tile.kind] ?? tile.kind[0];
        if (tile.kind === "crevasse" && tile.rotation !== undefined) for (const side of [0, 1]) {
          const a = (60 * (tile.rotation + side) - 30) * Math.PI / 180, b = a + Math.PI / 3, r = size / Math.sqrt(3) * .92, [x, y] = place.centre;
          make("line", { x1: x + r * Math.cos(a), y1: -(y + r * Math.sin(a)), x2: x + r * Math.cos(b), y2: -(y + r * Math.sin(b)), stroke: "#123a63", "stroke-width": 2.4, class: "mark" }, group);
        }
      }
      const pick = () => onPick(place.spot);
      group.addEventListener("click", pick);
      group.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(); } });
    }
  }
  for (const [spot, pieces] of Object.entries(position.pieces)) if (layout.places[spot]) drawPieces(svg, layout.places[spot], pieces, position.tiles, size);
  for (const [spot, light] of Object.entries(lights || {})) {
    const place = layout.places[spot];
    if (place) make("polygon", { points: points(place.outline, place.centre, .9), class: "light", stroke: light.colour }, svg);
  }
  if (focused) svg.querySelector(`[data-spot="${CSS.escape(focused)}"]`)?.focus();
}

export function prepare(raw) {
  const places = raw.places, byLayer = {};
  for (const [spot, place] of Object.entries(places)) {
    place.spot = spot;
    place.coverCentres = Object.fromEntries(place.covers.map((cover) => [cover, places[cover].centre]));
    (byLayer[place.layer] ||= []).push(place);
  }
  return { places, byLayer, size: raw.size, tile: raw.tile, order: ["azulia", "edge.azulia", "deep", "edge.deep", "surface", "edge.surface", "snow"] };
}
