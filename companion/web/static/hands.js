// The hands of the simulated table: drag a piece, or tap it and then tap where it goes; wrong moves are allowed.
import { GUILDS, guildName, spotName } from "./board.js";
import { $, button, element } from "./page.js";
import { t } from "./words.js";

const PAINT = { navigators: "blue", incandescents: "red", icewalkers: "purple", nurturers: "green", cryoarchitects: "yellow", neutral: "white" };
const FAR = 6; // pixels that make a tap a drag
let held = null, drag = null;

export const isHolding = () => held !== null;
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
  box.append(button(t("Put back"), () => { held = null; showHeld(); }));
}

let send = () => {};
function putDown(spot) {
  const labels = held.pieces.map(label), start = held.start;
  held = null;
  showHeld();
  if (spot === null) { if (start) send("remove_pieces", { labels, spot: start }); return; }
  if (start === spot) return;
  if (start) send("move_pieces", { labels, start, end: spot });
  else send("add_pieces", { labels, spot });
}

function pickUp(piece, start) {
  if (held && held.start === start && start && piece !== "camp") held.pieces.push(piece);
  else held = { pieces: [piece], start };
  showHeld();
}

// a tap on a spot while something is in the hand puts it there; true = the tap was used
export function tapped(spot) {
  if (!held) return false;
  putDown(spot);
  return true;
}

const spotAt = (x, y) => document.elementsFromPoint(x, y).map((found) => found.closest?.("[data-spot]")).find(Boolean)?.dataset.spot ?? null;

export function watch(svg, sendHands) {
  send = sendHands;
  svg.addEventListener("pointerdown", (event) => {
    const piece = event.target.closest("[data-piece]");
    if (!piece || !svg.classList.contains("with-hands")) return;
    event.preventDefault();
    drag = { piece, x: event.clientX, y: event.clientY, moved: false };
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < FAR) return;
    drag.moved = true;
    const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    drag.piece.setAttribute("transform", `translate(${dx * scale},${dy * scale})`);
    drag.piece.classList.add("dragged");
  });
  svg.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { piece, moved } = drag, spot = spotAt(event.clientX, event.clientY); // before anything moves on the page
    drag = null;
    piece.removeAttribute("transform");
    piece.classList.remove("dragged");
    pickUp(piece.dataset.piece, piece.dataset.at);
    if (moved) putDown(spot);
  });
  svg.addEventListener("pointercancel", () => { drag?.piece.removeAttribute("transform"); drag = null; });
}

// pieces that are not on the board, one button each
export function showReserve(position) {
  const standing = Object.values(position.pieces), owners = position.seats.map((seat) => seat.guild);
  const pieces = ["archaeologist"];
  for (const guild of GUILDS.filter((name) => owners.includes(name))) {
    if (!standing.some((here) => (here.leaders || []).includes(guild))) pieces.push(`leader.${guild}`);
    if (!standing.some((here) => here.camp === guild)) pieces.push(`camp.${guild}`);
  }
  if (position.supply.neutral_camps > 0) pieces.push("camp.neutral");
  $("reserve").replaceChildren(...pieces.map((piece) => button(pieceName(piece), () => pickUp(piece, null), { class: "piece-button" })));
}

// what hands can do at a picked spot without dragging
export function handsPanel(spot, position) {
  const parts = [], pieces = position.pieces[spot] || {}, row = element("div", undefined, { class: "row" });
  if (position.tiles[spot]) {
    row.append(button(t("Lift the tile"), () => send("dig", { spot })));
    const turn = position.tiles[spot].rotation ?? 0;
    row.append(button(t("Turn the tile"), () => send("turn_tile", { spot, rotation: (turn + 1) % 6 })));
  }
  for (const guild of pieces.leaders || []) row.append(button(t("Pick up: {piece}", { piece: pieceName(`leader.${guild}`) }), () => pickUp(`leader.${guild}`, spot)));
  if (pieces.archaeologists) row.append(button(t("Pick up: {piece}", { piece: pieceName("archaeologist") }), () => pickUp("archaeologist", spot)));
  if (pieces.camp) row.append(button(t("Pick up: {piece}", { piece: pieceName(`camp.${pieces.camp}`) }), () => pickUp(`camp.${pieces.camp}`, spot)));
  if (held) row.append(button(t("Put it here"), () => tapped(spot), { class: "main" }));
  if (row.children.length) parts.push(element("h3", t("With your hands")), row);
  return parts;
}
