// The live score pad, and times of day as this device writes them.
import { $, showTimes, table } from "./page.js";

showTimes();
const live = new EventSource("/events");
live.addEventListener("snapshot", (event) => {
  const snapshot = JSON.parse(event.data);
  $("turn").textContent = snapshot.headline || "";
  if (snapshot.score) $("score").replaceChildren(table(snapshot.score));
});
