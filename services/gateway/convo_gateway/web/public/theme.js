// Before the first paint: a page that starts light and turns dark flashes. A file of its own, because
// the content security policy allows no inline script.
(() => {
  const root = document.documentElement;
  let chosen = null;
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage is forbidden: nobody can have chosen.
  }
  const wanted = chosen || root.dataset.theme;
  const dark =
    wanted === "dark" || (wanted !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
