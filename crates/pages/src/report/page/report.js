// What a report does beyond showing: copying commands, choosing places on the map, lighting up the way of a row, opening all for print.
(() => {
  const all = (path) => [...document.querySelectorAll(path)];
  for (const button of all("[data-copies]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const text = document.getElementById(button.dataset.copies).textContent;
      const told = (words) => {
        button.textContent = words;
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      };
      // Without permission the command is chosen, so that a key copies it.
      const choose = () => {
        getSelection().selectAllChildren(document.getElementById(button.dataset.copies));
        told("Chosen");
      };
      if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => told("Copied"), choose);
      else choose();
    });
  }

  const viewer = document.getElementById("viewer");
  const light = (name, scroll) => {
    if (!viewer) return;
    viewer.dispatchEvent(new CustomEvent("row", { detail: name }));
    if (scroll) viewer.scrollIntoView({ block: "start" });
  };
  for (const button of all("[data-light]")) {
    if (!viewer) continue;
    button.hidden = false;
    button.addEventListener("click", () => light(button.dataset.light, true));
  }

  // The places of the map are one stop of the Tab key; arrows go from one to the next.
  const places = all(".places .place"), said = document.getElementById("place-said");
  const show = (place) => {
    places.forEach((other) => {
      other.classList.toggle("on", other === place);
      other.setAttribute("tabindex", other === place ? 0 : -1);
    });
    said.replaceChildren(...JSON.parse(place.dataset.said).flatMap(([term, text]) => {
      const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
      dt.textContent = term;
      dd.textContent = text;
      return [dt, dd];
    }));
    if (place.dataset.explained) {
      const link = document.createElement("a");
      link.href = place.dataset.explained;
      link.textContent = "How its prediction came about";
      said.append(link);
    }
    light(place.dataset.row, false);
  };
  places.forEach((place, number) => {
    for (const event of ["click", "focus"]) place.addEventListener(event, () => show(place));
    place.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const to = event.key === "Home" ? 0 : event.key === "End" ? places.length - 1 : number + by;
      if (places[to]) {
        event.preventDefault();
        places[to].focus();
      }
    });
  });

  // A link to something closed opens it.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "DETAILS") target.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("main details:not([open])").filter((details) => details.id !== "trees");
    opened.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((details) => { details.open = false; }));
})();
