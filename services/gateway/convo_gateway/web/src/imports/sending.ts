/** A file on its way to the gateway, told byte by byte: `fetch` cannot say how much was sent. */
import { Failure, failureOf, type ImportShown } from "../api";
import { bytes } from "../format";

export const MOST_BYTES = 20_000_000_000;
const MOST_NAME = 200;

export interface Told {
  sent: (bytes: number) => void;
  /** `isKnown` where the same bytes were there already. */
  done: (made: ImportShown, isKnown: boolean) => void;
  failed: (failure: Failure) => void;
}

/** Sends the file; what comes back stops it, and then nothing more is told. */
export function sendFile(file: File, told: Told): () => void {
  if (file.size > MOST_BYTES) {
    told.failed(tooLarge(file.size));
    return () => undefined;
  }
  const request = new XMLHttpRequest();
  request.open("POST", `/api/v1/imports?name=${encodeURIComponent(nameOf(file.name))}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.upload.onprogress = ({ loaded }) => told.sent(loaded);
  request.onload = () => {
    const answer = parsed(request.responseText);
    if (request.status < 300 && answer !== undefined) {
      told.done(answer as ImportShown, request.status === 200);
    } else told.failed(failureOf(answer));
  };
  request.onerror = () => told.failed(failureOf(undefined));
  request.onloadend = () => removeEventListener("beforeunload", stay);
  addEventListener("beforeunload", stay);
  request.send(file);
  return () => request.abort();
}

/** The name as the gateway takes it: not too long, and whole characters only. */
export function nameOf(name: string): string {
  const whole = name.replace(/\p{Surrogate}/gu, "\ufffd");
  return [...whole].slice(0, MOST_NAME).join("");
}

/** A file does not arrive if the window goes away meanwhile. */
function stay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function tooLarge(size: number): Failure {
  return new Failure({
    type: "urn:convo:problem:too-large",
    title: "The file is too large",
    status: 413,
    detail: `It has ${bytes(size)}; at most ${bytes(MOST_BYTES)} are taken. Split it, or compress it.`,
  });
}
