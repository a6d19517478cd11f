import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Conversation, MemoryKept } from "../api";
import { Plain } from "../parts/Plain";

/** Whether there is something to say of a conversation's memory. */
export function hasMemory(of: Conversation): boolean {
  return Boolean(of.memory_before ?? of.memory_after) || of.memory_gave_up !== "";
}

/** What the persona remembered when it began, and what is remembered after it. */
export function Memory({ of }: { of: Conversation }) {
  return (
    <div className="memory">
      <h2>Before</h2>
      {of.memory_before ? (
        <Remembered memory={of.memory_before} here={of.id} />
      ) : (
        <Text c="dimmed">Nothing: no earlier conversation of this persona was accepted.</Text>
      )}
      <h2>After</h2>
      {of.memory_after ? (
        <Remembered memory={of.memory_after} here={of.id} />
      ) : (
        <Text c="dimmed">{whyNone(of)}</Text>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        Only an accepted conversation changes what is remembered, and only where another one of its
        thread follows.
      </Text>
    </div>
  );
}

function Remembered({ memory, here }: { memory: MemoryKept; here: string }) {
  return (
    <section className="prompt">
      {memory.conversation !== here && (
        <h3>
          <span>
            written after{" "}
            <Link to="/corpus/$conversation" params={{ conversation: memory.conversation }}>
              {memory.conversation}
            </Link>
          </span>
        </h3>
      )}
      <pre dir="auto">
        <Plain text={memory.text} />
      </pre>
      {memory.cut && (
        <Text size="xs" className="warn">
          The model wrote more; it was cut to what the config lets stand.
        </Text>
      )}
    </section>
  );
}

function whyNone({ status, memory_gave_up: why, memory_before: before }: Conversation): string {
  if (why) {
    return `No memory could be made (${why}). The next conversation starts from ${before ? "the memory before" : "none"}.`;
  }
  if (status === "open") return "Not yet.";
  if (status === "accepted") return "None yet, or no conversation follows in this thread.";
  return "Unchanged: the conversation was not accepted.";
}
