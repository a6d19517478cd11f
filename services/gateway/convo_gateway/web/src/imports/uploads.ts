/** Files that are being sent, one after the other, whatever page one is on meanwhile. */
import { useSyncExternalStore } from "react";
import type { Failure, ImportShown } from "../api";
import { sendFile, type Told } from "./sending";

export interface Upload {
  id: number;
  name: string;
  size: number;
  /** Bytes. */
  sent: number;
  state: "waiting" | "sending" | "failed";
  failure?: Failure;
}

interface Waiting {
  file: File;
  onDone: (made: ImportShown, is: { known: boolean; last: boolean }) => void;
}

type Send = (file: File, told: Told) => () => void;

export class Uploads {
  #list: readonly Upload[] = [];
  #next = 1;
  #stop: (() => void) | undefined;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<() => void>();
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  readonly list = (): readonly Upload[] => this.#list;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Send a file as soon as those before it are sent; `last` where it was the last one on the list. */
  add(file: File, onDone: Waiting["onDone"]): void {
    const id = this.#next++;
    const upload: Upload = { id, name: file.name, size: file.size, sent: 0, state: "waiting" };
    this.#waiting.set(id, { file, onDone });
    this.#tell([...this.#list, upload]);
    this.#go();
  }

  /** Stop sending it, or take it from the list. */
  drop(id: number): void {
    const stop = this.#isSending(id) ? this.#stop : undefined;
    this.#leave(id);
    stop?.();
  }

  #go(): void {
    const next = this.#list.find(({ state }) => state === "waiting");
    const work = next && this.#waiting.get(next.id);
    if (!next || !work || this.#list.some(({ state }) => state === "sending")) return;
    const { id } = next;
    this.#waiting.delete(id);
    this.#change(id, { state: "sending" });
    this.#stop = undefined;
    const stop = this.#send(work.file, {
      sent: (sent) => this.#change(id, { sent }),
      done: (made, known) => {
        if (!this.#isSending(id)) return;
        this.#leave(id);
        work.onDone(made, { known, last: this.#list.length === 0 });
      },
      failed: (failure) => {
        if (!this.#isSending(id)) return;
        this.#change(id, { state: "failed", failure });
        this.#go();
      },
    });
    if (this.#isSending(id)) this.#stop = stop;
  }

  #leave(id: number): void {
    this.#waiting.delete(id);
    this.#tell(this.#list.filter((one) => one.id !== id));
    this.#go();
  }

  #isSending(id: number): boolean {
    return this.#list.some((one) => one.id === id && one.state === "sending");
  }

  #change(id: number, part: Partial<Upload>): void {
    this.#tell(this.#list.map((one) => (one.id === id ? { ...one, ...part } : one)));
  }

  #tell(list: readonly Upload[]): void {
    this.#list = list;
    for (const listener of this.#listeners) listener();
  }
}

export const uploads = new Uploads(sendFile);

export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(uploads.subscribe, uploads.list);
}
