// Before the first paint: a page that starts light and turns dark flashes. A file of its own, because
// the content security policy allows no inline script.
(() => {
  let wanted = "auto";
  try {
    wanted = localStorage.getItem("mantine-color-scheme-value") || "auto";
  } catch {
    // Storage is forbidden: follow the system.
  }
  const dark =
    wanted === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : wanted === "dark";
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
