// Ticks the lessons that were passed on this device.
import "./page.js";
import { passedLessons } from "./passed.js";

const known = passedLessons();
for (const link of document.querySelectorAll("[data-lesson]")) link.parentElement.querySelector(".passed").hidden = !known.has(Number(link.dataset.lesson));
