// Set up: the live picture with its meters and verdict, and corners that can be dragged.
import { make } from "./board.js";
import { $, element, post } from "./page.js";
import { t } from "./words.js";

const BEAT_MS = 2500, FEWEST = 4; // so many corners do, the others make it more exact
let seen = null, corners = null, timer = null;
const camera = () => { const field = $("camera-address"); return field && camera.tried ? `?camera=${encodeURIComponent(field.value)}` : ""; };

function meterItem({ name, value, ok, say }) {
  const item = element("li"), bar = element("meter", undefined, { min: 0, max: 1, value: value.toFixed(2), "aria-label": name });
  item.append(element("strong", `${ok ? "✓" : "✗"} ${name}`), " ", bar, " ", say);
  return item;
}

async function look() {
  clearTimeout(timer);
  const answer = await fetch(`/api/v1/setup/look${camera()}`).catch(() => null);
  if (answer) {
    const found = await answer.json();
    if (answer.ok) show(found); else $("verdict").textContent = found.error;
  }
  timer = setTimeout(look, BEAT_MS);
}

function show(found) {
  seen = found;
  $("seen").src = `/api/v1/setup/picture.jpg${camera() || "?"}&${Date.now()}`;
  $("verdict").textContent = `${found.ok ? "✓" : "✗"} ${found.verdict}`;
  $("meters")?.replaceChildren(...found.meters.map(meterItem));
  if ($("residual") && !corners) $("residual").textContent = found.residual === null ? "" : t("The markers fit to {residual} pixels.", { residual: found.residual });
  if (!corners) drawOver(found.outline);
}

function drawOver(outline) {
  const svg = $("over"), [width, height] = seen.size;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  drawOutline(outline);
  for (const corner of corners || []) drawCorner(svg, corner);
}

function drawOutline(outline) {
  $("over").querySelector(".found")?.remove();
  if (outline?.length) $("over").prepend(make("polygon", { points: outline.map((at) => at.join(",")).join(" "), class: "found" }));
}

function drawCorner(svg, corner) {
  const dot = make("g", { class: "corner", tabindex: 0, role: "slider", "aria-valuenow": Math.round(corner.at[0]), "aria-valuetext": corner.at.map(Math.round).join(", "), "aria-label": corner.spot, transform: `translate(${corner.at})` }, svg);
  make("circle", { r: 26, class: "corner-grip" }, dot);
  make("circle", { r: 4, class: "corner-point" }, dot);
  make("text", { y: -32, "text-anchor": "middle", class: "corner-name" }, dot).textContent = corner.spot;
  const move = (x, y) => {
    corner.at = [Math.max(0, Math.min(seen.size[0] - 1, x)), Math.max(0, Math.min(seen.size[1] - 1, y))];
    dot.setAttribute("transform", `translate(${corner.at})`);
    dot.setAttribute("aria-valuetext", corner.at.map(Math.round).join(", "));
  };
  dot.addEventListener("pointerdown", (event) => { event.preventDefault(); dot.setPointerCapture(event.pointerId); });
  dot.addEventListener("pointermove", (event) => {
    if (!dot.hasPointerCapture(event.pointerId)) return;
    const box = svg.getBoundingClientRect();
    move((event.clientX - box.left) / box.width * seen.size[0], (event.clientY - box.top) / box.height * seen.size[1]);
  });
  dot.addEventListener("pointerup", () => fit(false));
  dot.addEventListener("keyup", () => fit(false));
  dot.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    move(corner.at[0] + step[0] * (event.shiftKey ? 10 : 1), corner.at[1] + step[1] * (event.shiftKey ? 10 : 1));
  });
}

async function fit(keep) {
  if (!corners || !seen) return;
  try {
    const found = await post("/api/v1/setup/corners", { pixels: corners.map(({ at }) => at), size: seen.size, keep });
    drawOutline(found.outline); // the dots stay, one of them may have the focus
    $("residual").textContent = keep ? t("Kept; the corners fit to {residual} pixels.", { residual: found.residual }) : t("The corners fit to {residual} pixels.", { residual: found.residual });
  } catch (error) { $("residual").textContent = error.message; }
}

if ($("look")) look();
$("try-camera")?.addEventListener("click", () => { camera.tried = true; $("verdict").textContent = t("Looking …"); look(); });
for (const one of document.querySelectorAll("[data-camera]")) one.addEventListener("click", () => { $("camera-address").value = one.dataset.camera; $("try-camera").click(); });
$("strip-kind")?.addEventListener("change", () => { const address = document.querySelector('[name="table.leds"]'); address.value = $("strip-kind").value; address.focus(); });
$("by-hand")?.addEventListener("toggle", () => {
  corners = $("by-hand").open && seen ? seen.corners.slice(0, FEWEST).map((corner) => ({ ...corner })) : null;
  if (seen) drawOver(seen.outline);
});
$("more-corners")?.addEventListener("click", () => {
  if (!corners || !seen) return;
  corners.push(...seen.corners.slice(corners.length).map((corner) => ({ ...corner })));
  drawOver(seen.outline);
});
$("fit-corners")?.addEventListener("click", () => fit(false));
$("keep-corners")?.addEventListener("click", () => fit(true));

// a button of the panel that is pressed lights its field up
async function watchPresses(last) {
  const answer = await fetch("/api/v1/setup/pressed").catch(() => null), found = answer?.ok ? await answer.json().catch(() => null) : null; // an answer may break off
  if (found && last !== null && found.count !== last) {
    for (const one of document.querySelectorAll(".pins .pressed")) one.classList.remove("pressed");
    const field = document.getElementsByName(`panel.buttons.${found.button}`)[0]?.closest("label");
    field?.classList.add("pressed");
    if (field) $("pressed").textContent = t("Pressed: {button}", { button: field.firstChild.textContent.trim() });
  }
  setTimeout(watchPresses, 500, found ? found.count : last);
}
if ($("pressed")) watchPresses(null);

// only as many seats as players
function showSeats() {
  const count = Number($("players").value);
  for (const seat of document.querySelectorAll("[data-seat]")) seat.hidden = Number(seat.dataset.seat) > count;
  for (const option of $("first").options) option.hidden = Number(option.value) > count;
  if (Number($("first").value) > count) $("first").value = "1";
}
if ($("players")) { $("players").addEventListener("change", showSeats); showSeats(); }
