// Colours as the reader's system has them, or light, or dark.
"use strict";
(() => {
  const themes = ["auto", "light", "dark"];
  document.getElementById("theme").addEventListener("click", (event) => {
    const theme = themes[(themes.indexOf(document.documentElement.dataset.theme || "auto") + 1) % 3];
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    event.target.textContent = `Colours: ${theme}`;
  });
})();
