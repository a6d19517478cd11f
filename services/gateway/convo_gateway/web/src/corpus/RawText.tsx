/** Roughened turns: which text is shown, and what became of the others. */
import { SegmentedControl, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Conversation, StoredTurn } from "../api";
import { plural } from "../format";
import { Plain } from "../parts/Plain";

/** The turns with the text they were generated with. */
export function asGenerated(turns: StoredTurn[]): StoredTurn[] {
  return turns.map((turn) => (turn.raw === null ? turn : { ...turn, text: turn.raw }));
}

/** The switch between both texts, and how many turns have two; nothing where nothing was roughened. */
export function RawText({ of, isGenerated }: { of: Conversation; isGenerated: boolean }) {
  const navigate = useNavigate({ from: "/corpus/$conversation" });
  const kept = of.messages.filter((turn) => turn.kept).length;
  if (of.roughened === 0 && kept === 0 && !of.roughen_gave_up) return null;
  const show = (chosen: string) =>
    void navigate({
      search: (before) => ({ ...before, text: chosen === "generated" ? "generated" : undefined }),
      replace: true,
    });
  return (
    <div className="raw-text">
      {of.roughened > 0 && (
        <SegmentedControl
          size="xs"
          value={isGenerated ? "generated" : "typed"}
          onChange={show}
          data={[
            { value: "typed", label: "As typed" },
            { value: "generated", label: "As generated" },
          ]}
          aria-label="Text of roughened turns"
        />
      )}
      <Text size="sm" c="dimmed">
        {of.roughen_gave_up ? (
          <>
            No turn was roughened: <Plain text={of.roughen_gave_up} />
          </>
        ) : (
          `${plural(of.roughened, "turn")} roughened${kept > 0 ? `, ${kept} kept as generated` : ""}.`
        )}
        {isGenerated && " Filters, judge and exports have the text as typed."}
      </Text>
    </div>
  );
}

/** In the head of a turn: that it has another text too, or why it kept its own. */
export function RoughMark({ turn: { raw, kept } }: { turn: StoredTurn }) {
  if (raw !== null) return <span className="turn-rough">roughened</span>;
  if (!kept) return null;
  return (
    <span className="turn-kept">
      not roughened: <Plain text={kept} />
    </span>
  );
}
