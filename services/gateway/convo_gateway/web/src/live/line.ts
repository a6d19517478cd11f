/** The one websocket of a tab: topics that pages follow, and whether the line is up. */
import { WebSocket as LastingSocket } from "partysocket";
import { type Message, type State, type Topic, told, UNKNOWN } from "./topic";

export type LineStatus = "live" | "reconnecting" | "offline";

const PROTOCOL = "1";
const SILENCE_MS = 40_000; // the gateway gives a sign of life every 15 s
const OFFLINE_AFTER_MS = 10_000;
const KEPT_MS = 60_000; // a page that comes back within this time asks only for what it missed

interface Followed {
  topic: Topic;
  listeners: Set<() => void>;
  leftAt: number;
  /** Deltas that come before the answer to a question are part of the answer. */
  asked: boolean;
}

const UNHEARD = (): Followed => ({
  topic: UNKNOWN,
  listeners: new Set(),
  leftAt: 0,
  asked: false,
});

class Line {
  private readonly followed = new Map<string, Followed>();
  private readonly listeners = new Set<() => void>();
  private socket: LastingSocket | undefined;
  private lost: ReturnType<typeof setTimeout> | undefined;
  private silent: ReturnType<typeof setTimeout> | undefined;
  status: LineStatus = "reconnecting";

  /** Connect, once for the life of the page. */
  open(): void {
    if (this.socket !== undefined) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const url = `${scheme}://${location.host}/api/v1/live?v=${PROTOCOL}`;
    const socket = new LastingSocket(url, [], {
      minReconnectionDelay: 500,
      maxReconnectionDelay: 5_000,
      maxEnqueuedMessages: 0,
    });
    socket.addEventListener("open", () => this.opened());
    socket.addEventListener("close", () => this.closed());
    socket.addEventListener("message", (event) => this.received(String(event.data)));
    window.addEventListener("offline", () => socket.reconnect());
    this.socket = socket;
    this.closed();
  }

  readonly onStatus = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Be called when the topic changes, until the returned function is called. */
  follow(name: string, listener: () => void): () => void {
    const entry = this.followed.get(name) ?? UNHEARD();
    const isNew = entry.listeners.size === 0;
    this.followed.set(name, entry);
    entry.listeners.add(listener);
    if (isNew) this.subscribe(name);
    return () => {
      entry.listeners.delete(listener);
      if (entry.listeners.size > 0) return;
      entry.leftAt = Date.now();
      this.send({ op: "unsubscribe", topic: name });
      this.forgetOld();
    };
  }

  topic(name: string): Topic {
    return this.followed.get(name)?.topic ?? UNKNOWN;
  }

  private opened(): void {
    clearTimeout(this.lost);
    this.lost = undefined;
    this.say("live");
    this.watch();
    for (const [name, entry] of this.followed) if (entry.listeners.size > 0) this.subscribe(name);
  }

  private closed(): void {
    clearTimeout(this.silent);
    if (this.status === "live") this.say(navigator.onLine ? "reconnecting" : "offline");
    this.lost ??= setTimeout(() => this.say("offline"), OFFLINE_AFTER_MS);
  }

  private watch(): void {
    clearTimeout(this.silent);
    this.silent = setTimeout(() => this.socket?.reconnect(), SILENCE_MS);
  }

  private say(status: LineStatus): void {
    this.status = status;
    for (const listener of this.listeners) listener();
  }

  private received(text: string): void {
    this.watch();
    const message = JSON.parse(text) as Message;
    if (message.op === "heartbeat") {
      for (const [name, seq] of Object.entries(message.topics)) {
        const { epoch, seq: known } = this.topic(name);
        if (epoch !== message.epoch || seq > known) this.subscribe(name);
      }
    } else if (message.op === "resync") {
      for (const name of message.topics) this.subscribe(name);
    } else {
      this.change(message);
    }
  }

  private change(message: Exclude<Message, { op: "heartbeat" | "resync" }>): void {
    const entry = this.followed.get(message.topic);
    if (entry === undefined || (entry.asked && message.op === "delta")) return;
    entry.asked = false;
    const next = told(entry.topic, message);
    if (next === undefined) {
      if (message.op === "replayed") entry.topic = UNKNOWN;
      this.subscribe(message.topic);
      return;
    }
    if (next === entry.topic) return;
    entry.topic = next;
    for (const listener of entry.listeners) listener();
  }

  private subscribe(name: string): void {
    const entry = this.followed.get(name);
    if (entry === undefined) return;
    const { epoch, seq } = entry.topic;
    entry.asked = true;
    this.send({ op: "subscribe", topic: name, ...(epoch ? { epoch, after: seq } : {}) });
  }

  private send(message: State): void {
    if (this.socket?.readyState === LastingSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private forgetOld(): void {
    for (const [name, { listeners, leftAt }] of this.followed) {
      if (listeners.size === 0 && Date.now() - leftAt > KEPT_MS) this.followed.delete(name);
    }
  }
}

export const line = new Line();
