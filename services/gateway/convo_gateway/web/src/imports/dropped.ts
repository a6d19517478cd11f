/** Files that were dropped. A folder among them can be read by nobody, and is left out. */
export function filesOf(dropped: DataTransfer): File[] {
  const items = [...dropped.items].filter(({ kind }) => kind === "file");
  return items
    .filter((item) => !item.webkitGetAsEntry()?.isDirectory)
    .map((item) => item.getAsFile())
    .filter((file) => file !== null);
}
