// The hands of the simulated table: drag pieces and tiles, or tap a piece and then where it goes; wrong moves are allowed.
import { GUILDS, drawPiece, guildName, make, spotName } from "./board.js";
import { $, button, element } from "./page.js";
import { t } from "./words.js";

const PAINT = { navigators: "blue", incandescents: "red", icewalkers: "purple", nurturers: "green", cryoarchitects: "yellow", neutral: "white" };
const FAR = 6; // pixels that make a tap a drag
const HOLD_MS = 350; // a finger that rests so long on a tile takes it; before that it scrolls
let held = null, drag = null, board = null, desk = null; // desk: what play.js offers: send, layout, position, show

export const isHolding = () => held !== null;
export const isDragging = () => drag !== null; // meanwhile the page stands still, so that nothing moves away from under the pointer
const label = (piece) => { const [kind, guild] = piece.split("."); return guild ? `${kind}.${PAINT[guild]}` : kind; };

export function pieceName(piece) {
  const [kind, guild] = piece.split(".");
  if (kind === "archaeologist") return t("archaeologist");
  return kind === "leader" ? t("leader of {guild}", { guild: guildName(guild) }) : t("camp: {owner}", { owner: guildName(guild) });
}

function showHeld() {
  const box = $("held");
  box.replaceChildren();
  if (!held) return;
  const from = held.start ? t("from {place}", { place: spotName(held.start) }) : t("from the reserve");
  box.append(t("In your hand: {pieces} {from}", { pieces: held.pieces.map(pieceName).join(", "), from }), " ");
  if (held.start) box.append(button(t("Take off the board"), () => putDown(null)));
  box.append(button(t("Put back"), letGo));
}
function letGo() { held = null; showHeld(); }

function putDown(spot) {
  const labels = held.pieces.map(label), start = held.start;
  letGo();
  if (spot === null && !start) $("held").textContent = t("Dropped beside the board: it is still in the reserve.");
  else if (spot === null) desk.send("remove_pieces", { labels, spot: start });
  if (spot === null || start === spot) return;
  if (start) desk.send("move_pieces", { labels, start, end: spot });
  else desk.send("add_pieces", { labels, spot });
}

function pickUp(piece, start) {
  if (held && held.start === start && start) held.pieces.push(piece);
  else held = { pieces: [piece], start };
  showHeld();
}

// a tap on a spot while something is in the hand puts it there; true = the tap was used
export function tapped(spot) {
  if (!held) return false;
  putDown(spot);
  return true;
}

// ---- dragging: a copy of the thing follows the pointer, however often the board is drawn anew meanwhile

function ghostOf(source) {
  const box = source.getBoundingClientRect(), own = source.getBBox(), ghost = make("svg", { class: "ghost", width: box.width, height: box.height, viewBox: `${own.x} ${own.y} ${own.width} ${own.height}`, "aria-hidden": "true" });
  ghost.append(source.cloneNode(true));
  ghost.firstChild.removeAttribute("data-spot");
  document.body.append(ghost);
  return { ghost, dx: box.x - drag.x, dy: box.y - drag.y };
}

function begin(event, thing) {
  drag = { ...thing, pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false, ready: event.pointerType !== "touch" || !thing.tile };
  if (!drag.ready) drag.timer = setTimeout(() => { if (drag) { drag.ready = true; take(); } }, HOLD_MS);
  if (!thing.tile) event.preventDefault();
}
function take() {
  drag.moved = true;
  Object.assign(drag, ghostOf(drag.source));
  follow(drag.x, drag.y);
  if (drag.tile) $("held").textContent = t("In your hand: the tile of {place}. Beside the board it is off; on a free place of its layer it lies there.", { place: spotName(drag.tile) });
}
function follow(x, y) { drag.ghost.style.transform = `translate(${x + drag.dx}px,${y + drag.dy}px)`; }
function stop() {
  clearTimeout(drag?.timer);
  drag?.ghost?.remove();
  drag = null;
}
const isOurs = (event) => event.pointerId === drag?.pointer; // another finger on the screen ends nothing

function moved(event) {
  if (!isOurs(event)) return;
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) >= FAR;
  if (!drag.ready) { if (far) { stop(); desk.show(); } return; }
  if (!drag.moved && far) take();
  if (drag.moved) follow(event.clientX, event.clientY);
}

function dropped(event) {
  if (!isOurs(event)) return;
  const { piece, tile, start, moved: far } = drag, { clientX: x, clientY: y } = event;
  stop();
  if (tile && far) dropTile(tile, x, y);
  else if (piece && far) {
    const spot = spotAt(x, y);
    pickUp(piece, start);
    putDown(spot);
  } else if (start) { // a tap; a button of the reserve answers its own click
    pickUp(piece, start);
    desk.look(start);
  }
  desk.show();
}

const spotAt = (x, y) => document.elementsFromPoint(x, y).map((found) => found.closest?.("#board [data-spot]")).find(Boolean)?.dataset.spot ?? null;

// where a tile may lie that is dropped here: a place of its own layer, or null beside the board
function placeAt(layer, x, y) {
  const at = new DOMPoint(x, y).matrixTransform(board.getScreenCTM().inverse()), layout = desk.layout();
  const near = layout.byLayer[layer].map((place) => [Math.hypot(place.centre[0] - at.x, -place.centre[1] - at.y), place.spot]).sort(([a], [b]) => a - b)[0];
  return near[0] < layout.tile * .62 ? near[1] : null;
}

function dropTile(start, x, y) {
  showHeld();
  const end = placeAt(start.split(":")[0], x, y);
  if (end === start) return;
  if (end === null) desk.send("dig", { spot: start }); else desk.send("move_tile", { start, end });
}

export function watch(svg, offered) {
  board = svg;
  desk = offered;
  svg.addEventListener("pointerdown", (event) => {
    if (!svg.classList.contains("with-hands") || event.button) return;
    const piece = event.target.closest("[data-piece]"), spot = event.target.closest("[data-spot]")?.dataset.spot;
    if (piece) begin(event, { piece: piece.dataset.piece, start: piece.dataset.at, source: piece });
    else if (spot && desk.position().tiles[spot] && !held) begin(event, { tile: spot, source: event.target.closest("[data-spot]") });
  });
  for (const [name, act] of [["pointermove", moved], ["pointerup", dropped], ["pointercancel", (event) => { if (isOurs(event)) { stop(); showHeld(); desk.show(); } }]]) document.addEventListener(name, act);
  document.addEventListener("touchmove", (event) => { if (drag?.moved && event.cancelable) event.preventDefault(); }, { passive: false });
  document.addEventListener("contextmenu", (event) => { if (drag?.moved) event.preventDefault(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && held) letGo(); });
  // the click that ends a drag picks nothing
  document.addEventListener("pointerup", (event) => {
    if (!drag?.moved || !isOurs(event)) return;
    const swallow = (event) => event.stopPropagation();
    document.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => document.removeEventListener("click", swallow, true), 50);
  }, true);
}

const OWNER = Object.fromEntries(Object.entries(PAINT).map(([guild, paint]) => [paint, guild]));
const named = (labelled) => { const [kind, paint] = labelled.split("."); return paint ? `${kind}.${OWNER[paint]}` : kind; };

// Every piece of the table has its button at its own place, which is empty while it stands on the board: no button slips
// away while somebody reaches for it. Below them: what is in the hand, and tiles that were taken off.
export function showReserve(shown, believed, inHand, off) {
  const owners = believed.seats.map((seat) => seat.guild), holding = inHand.map(named), pieces = [["archaeologist", true]];
  const camps = (position) => Object.values(position.pieces).map((here) => here.camp), leaders = Object.values(shown.pieces).flatMap((here) => here.leaders || []);
  for (const guild of GUILDS.filter((name) => owners.includes(name))) pieces.push([`leader.${guild}`, !leaders.includes(guild)], [`camp.${guild}`, !camps(shown).includes(guild)]);
  const neutral = (position) => camps(position).filter((camp) => camp === "neutral").length;
  pieces.push(["camp.neutral", believed.supply.neutral_camps > 0 || neutral(shown) < neutral(believed)]);
  again($("reserve"), pieces, () => pieces.map(reserveButton));
  again($("in-hand"), holding, () => (holding.length ? [t("In your hand: {pieces}. Put them down on the places under the tile.", { pieces: holding.map(pieceName).join(", ") })] : []));
  again($("taken"), off, () => off.map((spot) => button(t("Put the tile of {place} back", { place: spotName(spot) }), () => desk.send("put_tile", { spot }))));
}

// fills a box anew when it shows something else: a button that has the focus stays
function again(box, shown, made) {
  const text = JSON.stringify(shown);
  if (box.dataset.shown === text) return;
  box.dataset.shown = text;
  box.replaceChildren(...made());
}

function reserveButton([piece, isThere]) {
  const [kind, guild] = piece.split("."), name = pieceName(piece), made = button("", () => pickUp(piece, null), { class: "piece-button", "aria-label": name, title: name });
  const picture = make("svg", { width: 34, height: 34, viewBox: "-15 -17 30 34", "aria-hidden": "true" });
  const drawn = drawPiece(picture, kind, guild ?? null, 0, 0, 80, "");
  drawn.removeAttribute("data-piece");
  made.append(picture);
  made.disabled = !isThere;
  made.addEventListener("pointerdown", (event) => { if (!event.button) begin(event, { piece, start: null, source: drawn }); });
  return made;
}

// what hands can do at a picked spot without dragging
export function handsPanel(spot, position) {
  const parts = [], pieces = position.pieces[spot] || {}, row = element("div", undefined, { class: "row" });
  if (position.tiles[spot]) {
    row.append(button(t("Lift the tile"), () => desk.send("dig", { spot })));
    const turn = position.tiles[spot].rotation ?? 0;
    row.append(button(t("Turn the tile"), () => desk.send("turn_tile", { spot, rotation: (turn + 1) % 6 })));
  }
  const free = position.tiles[spot] ? desk.layout().byLayer[spot.split(":")[0]].filter((place) => !desk.position().tiles[place.spot]) : [];
  if (free.length) { // as dragging a tile to another place of its layer
    const choice = element("select", undefined, { "aria-label": t("Where the tile goes") });
    choice.append(...free.map((place) => element("option", spotName(place.spot), { value: place.spot })));
    row.append(choice, button(t("Lay the tile there"), () => desk.send("move_tile", { start: spot, end: choice.value })));
  }
  for (const guild of pieces.leaders || []) row.append(button(t("Pick up: {piece}", { piece: pieceName(`leader.${guild}`) }), () => pickUp(`leader.${guild}`, spot)));
  if (pieces.archaeologists) row.append(button(t("Pick up: {piece}", { piece: pieceName("archaeologist") }), () => pickUp("archaeologist", spot)));
  if (pieces.camp) row.append(button(t("Pick up: {piece}", { piece: pieceName(`camp.${pieces.camp}`) }), () => pickUp(`camp.${pieces.camp}`, spot)));
  if (held) row.append(button(t("Put it here"), () => tapped(spot), { class: "main" }));
  if (row.children.length) parts.push(element("h3", t("With your hands")), row);
  return parts;
}
