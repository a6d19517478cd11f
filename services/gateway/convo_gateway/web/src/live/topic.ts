/** One topic of the websocket: what each message makes of it. Pure. See docs/api.md, "Websocket". */

export type State = Record<string, unknown>;

export interface Topic {
  /** undefined until the first snapshot. */
  epoch: string | undefined;
  seq: number;
  state: State | undefined;
  gone: boolean;
}

export const UNKNOWN: Topic = { epoch: undefined, seq: 0, state: undefined, gone: false };

export interface Delta {
  op: "delta";
  topic: string;
  seq: number;
  patch: State;
}
export type Message =
  | Delta
  | { op: "snapshot"; topic: string; epoch: string; seq: number; state: State }
  | { op: "replayed"; topic: string; epoch: string; seq: number; deltas: Delta[] }
  | { op: "gone"; topic: string }
  | { op: "resync"; topics: string[] }
  | { op: "heartbeat"; epoch: string; topics: Record<string, number> };

/** The topic after a message about it; undefined where something is missing, so that it must be asked for again. */
export function told(topic: Topic, message: Message): Topic | undefined {
  switch (message.op) {
    case "snapshot":
      return { epoch: message.epoch, seq: message.seq, state: message.state, gone: false };
    case "replayed": {
      let found: Topic | undefined = { ...topic, epoch: message.epoch };
      for (const delta of message.deltas) found = found && told(found, delta);
      return found?.seq === message.seq ? found : undefined;
    }
    case "delta":
      if (topic.state === undefined || message.seq > topic.seq + 1) return undefined;
      if (message.seq <= topic.seq) return topic;
      return { ...topic, seq: message.seq, state: merged(topic.state, message.patch) };
    case "gone":
      return { ...UNKNOWN, gone: true };
    default:
      return topic;
  }
}

/** A state with a patch merged in (RFC 7396): null takes a member away. */
export function merged(state: State, patch: State): State {
  const result = { ...state };
  for (const [name, value] of Object.entries(patch)) {
    const before = result[name];
    if (value === null) delete result[name];
    else if (isObject(value)) result[name] = merged(isObject(before) ? before : {}, value);
    else result[name] = value;
  }
  return result;
}

function isObject(value: unknown): value is State {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
