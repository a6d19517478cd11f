/** A look into a conversation beside the list: the verdict and how it begins. */
import { ActionIcon, Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight, X } from "lucide-react";
import type { Conversation } from "../api";
import { DASH, money, plural } from "../format";
import { Plain } from "../parts/Plain";
import { StatusBadge } from "../parts/StatusBadge";
import { Failed, Loading } from "../parts/states";
import { useKey } from "../shell/keys";
import { usePeek } from "./useConversation";

const SHOWN = 1_500;

export function Peek({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = usePeek(id);
  useKey("Escape", "Close the panel", onClose);
  return (
    <section className="peek" aria-label="Peek">
      <div className="peek-head">
        <h2>{data ? <StatusBadge status={data.status} /> : "Conversation"}</h2>
        <Button
          size="compact-sm"
          variant="default"
          rightSection={<ArrowUpRight size={14} aria-hidden />}
          renderRoot={(props) => (
            <Link
              to="/corpus/$conversation"
              params={{ conversation: id }}
              search={(before) => ({ ...before, peek: undefined })}
              {...props}
            />
          )}
        >
          Open
        </Button>
        <ActionIcon variant="subtle" color="gray" aria-label="Close the panel" onClick={onClose}>
          <X size={18} aria-hidden />
        </ActionIcon>
      </div>
      {data && <Shown of={data} />}
      {!data && error && (
        <Failed error={error} what="The conversation" onRetry={() => void refetch()} />
      )}
      {!data && !error && <Loading what="the conversation" />}
    </section>
  );
}

function Shown({ of }: { of: Conversation }) {
  const more = of.turns - of.messages.length;
  return (
    <>
      {of.reason && (
        <p className="recorded-reason" data-status={of.status}>
          <strong>{of.reason}</strong> {of.detail && <Plain text={of.detail} />}
        </p>
      )}
      <dl className="peek-facts">
        <Fact name="Persona, voice" value={`${of.persona}, ${of.voice}`} />
        <Fact name="Length" value={`${plural(of.turns, "turn")}, ${plural(of.words, "word")}`} />
        <Fact name="Score" value={of.score?.toFixed(2) ?? DASH} />
        <Fact
          name="Cost"
          value={of.unknown_calls > 0 ? `${money(of.cost_micro)} + ?` : money(of.cost_micro)}
        />
        <Fact name="Id" value={of.id} />
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <ol className="peek-turns" aria-label="Turns" tabIndex={0}>
        {of.messages.map(({ number, role, text }) => (
          <li key={number} data-role={role}>
            <span className="turn-role">{role}</span>
            <div className="turn-text" dir="auto">
              <Plain text={text.slice(0, SHOWN)} />
              {text.length > SHOWN && " …"}
            </div>
          </li>
        ))}
        {more > 0 && <li className="peek-more">and {plural(more, "turn")} more</li>}
      </ol>
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
