/** Which fields say what is wrong with them: those one was in; all of them after a try to save. */
import { useCallback, useEffect, useRef, useState } from "react";
import { isUnder } from "../parts/form/problems";

export function useTouched(all: boolean) {
  const [shown, setShown] = useState(all);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const afterPress = useAfterPress();
  const touch = useCallback(
    (pointer: string) =>
      afterPress(() =>
        setTouched((before) => (before.has(pointer) ? before : new Set(before).add(pointer))),
      ),
    [afterPress],
  );
  const says = useCallback(
    (pointer: string) =>
      shown || [...touched].some((one) => isUnder(one, pointer) || isUnder(pointer, one)),
    [shown, touched],
  );
  return { touch, says, showAll: useCallback(() => setShown(true), []) };
}

/** Does something at once, or when the pointer is up again: what appears while it is down moves a button away from it. */
function useAfterPress() {
  const isDown = useRef(false);
  useEffect(() => {
    const down = () => {
      isDown.current = true;
    };
    const up = () => {
      isDown.current = false;
    };
    const options = { capture: true };
    addEventListener("pointerdown", down, options);
    addEventListener("pointerup", up, options);
    addEventListener("pointercancel", up, options);
    return () => {
      removeEventListener("pointerdown", down, options);
      removeEventListener("pointerup", up, options);
      removeEventListener("pointercancel", up, options);
    };
  }, []);
  return useCallback((work: () => void) => {
    if (!isDown.current) return work();
    addEventListener("pointerup", () => setTimeout(work), { once: true });
  }, []);
}
