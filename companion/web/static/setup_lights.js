// Set up the strip: which colour is seen, and where each LED lies.
import { make } from "./board.js";
import { $, button, element, post } from "./page.js";
import { t } from "./words.js";

const NAMES = { R: t("red"), G: t("green"), B: t("blue") };

function askOrder() {
  const seen = {}, box = $("order");
  const ask = async (sent) => {
    const row = element("div", undefined, { class: "row" });
    for (const [letter, name] of Object.entries(NAMES)) row.append(button(name, () => { seen[sent] = letter; next(); }));
    row.append(button(t("Stop"), () => { post("/api/v1/setup/lights/colour", { colour: "" }).catch(() => {}); askOrder(); }));
    box.replaceChildren(element("p", t("The whole strip is lit in one colour. Which one do you see?"), { role: "status" }), row);
    try { await post("/api/v1/setup/lights/colour", { colour: sent }); } catch (error) { box.replaceChildren(element("p", error.message, { role: "alert" })); }
  };
  const left = ["R", "G", "B"];
  const next = async () => {
    if (left.length) { ask(left.shift()); return; }
    try {
      const { order } = await post("/api/v1/setup/lights/order", { seen });
      document.querySelector('[name="lights.order"]').value = order;
      box.replaceChildren(element("p", `✓ ${t("The order of colours is {order}.", { order })}`, { class: "say", role: "status" }), begin());
    } catch (error) { box.replaceChildren(element("p", error.message, { role: "alert" }), begin()); }
  };
  const begin = () => button(t("Show the colours"), next);
  box.replaceChildren(begin());
}

let plan = null;
async function showLeds() {
  const answer = await fetch("/api/v1/setup/lights/leds").catch(() => null);
  if (!answer?.ok) { $("mapping").textContent = t("The table cannot be reached."); return; }
  const { count, mapped, trouble, leds } = await answer.json();
  if (mapped !== null) { $("mapping").textContent = t("{mapped} of {count} LEDs were looked at …", { mapped, count }); setTimeout(showLeds, 700); return; }
  const doubtful = leds.filter((led) => led.doubt).length;
  $("mapping").textContent = trouble ? `✗ ${trouble}` : leds.length ? t("{count} LEDs are mapped, {doubtful} of them in doubt: have a look at those.", { count: leds.length, doubtful }) : t("Not mapped yet: {count} LEDs.", { count });
  if (leds.length) drawLeds(leds);
}

async function drawLeds(leds) {
  plan ??= await (await fetch("/api/v1/layout")).json();
  const svg = $("led-map"), [width, height] = plan.size;
  svg.removeAttribute("hidden");
  svg.setAttribute("viewBox", `${-width / 2 - 6} ${-height / 2 - 6} ${width + 12} ${height + 12}`);
  svg.replaceChildren();
  for (const [spot, place] of Object.entries(plan.places)) if (spot.startsWith("snow")) make("polygon", { points: place.outline.map(([x, y]) => `${x},${-y}`).join(" "), class: "tile tile-surface" }, svg);
  for (const led of leds) if (led.at) drawLed(svg, led);
  $("doubts").replaceChildren(...leds.filter((led) => led.doubt).map(doubtItem));
}

function doubtItem({ led, at, say }) {
  const item = element("li", `LED ${led}: ${say} `);
  item.append(button(t("Look at it again"), () => change(`/api/v1/setup/lights/leds/${led}/again`)));
  if (!at) item.append(" ", button(t("Put it on the map"), () => change(`/api/v1/setup/lights/leds/${led}`, { at: [0, 0] })));
  return item;
}

const change = async (path, body) => {
  try { await post(path, body); setTimeout(showLeds, 300); } catch (error) { $("mapping").textContent = error.message; }
};

function drawLed(svg, led) {
  const dot = make("g", { class: `led${led.doubt ? " doubt" : ""}`, tabindex: led.doubt ? 0 : -1, role: "slider", "aria-valuenow": led.led, "aria-valuetext": led.at.map(Math.round).join(", "), "aria-label": `LED ${led.led}${led.doubt ? `: ${led.say}` : ""}`, transform: `translate(${led.at[0]},${-led.at[1]})` }, svg);
  make("circle", { r: led.doubt ? 5 : 3 }, dot);
  make("title", {}, dot).textContent = `LED ${led.led} ${led.say}`;
  const move = (x, y) => { led.at = [x, y]; dot.setAttribute("transform", `translate(${x},${-y})`); };
  const keep = () => post(`/api/v1/setup/lights/leds/${led.led}`, { at: led.at }).then(({ leds }) => drawLeds(leds)).catch((error) => { $("mapping").textContent = error.message; });
  dot.addEventListener("pointerdown", (event) => { event.preventDefault(); dot.setPointerCapture(event.pointerId); });
  dot.addEventListener("pointermove", (event) => {
    if (!dot.hasPointerCapture(event.pointerId)) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    move(at.x, -at.y);
  });
  dot.addEventListener("pointerup", keep);
  dot.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.key === "Enter") keep();
    if (!step) return;
    event.preventDefault();
    move(led.at[0] + step[0], led.at[1] + step[1]);
  });
}

$("map-leds").addEventListener("click", () => change("/api/v1/setup/lights/map"));
askOrder();
showLeds();
