/** Calls that come close together become one. Time is an argument, so that tests have their own. */

export interface Clock {
  now: () => number;
  /** Call after so many milliseconds; the result takes it back. */
  after: (ms: number, call: () => void) => () => void;
}

export interface Paced {
  (): void;
  stop: () => void;
}

/** A function that has `run` called soon, once for all calls until then, and never twice within `everyMs`. */
export function paced(run: () => void, everyMs: number, clock: Clock = FRAMES): Paced {
  let ran = Number.NEGATIVE_INFINITY;
  let takeBack: (() => void) | undefined;
  const due = () => {
    takeBack = undefined;
    ran = clock.now();
    run();
  };
  const call = () => {
    takeBack ??= clock.after(Math.max(0, ran + everyMs - clock.now()), due);
  };
  const stop = () => {
    takeBack?.();
    takeBack = undefined;
  };
  return Object.assign(call, { stop });
}

/** With the next frame after that time; so a page that nobody sees does nothing. */
const FRAMES: Clock = {
  now: () => performance.now(),
  after: (ms, call) => {
    let frame = 0;
    const timer = setTimeout(() => {
      frame = requestAnimationFrame(call);
    }, ms);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  },
};
