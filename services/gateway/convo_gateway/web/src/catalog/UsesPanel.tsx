import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { count, plural } from "../format";
import { Failed, Loading } from "../parts/states";
import { type Kind, kindOf, WORDS } from "./kinds";
import { type Use, type Uses, usesQuery } from "./objects";

/** Where an object is used: what names it, and runs that were made with it. */
export function UsesPanel({ kind, name }: { kind: Kind; name: string }) {
  const { data, error, isPending, refetch } = useQuery(usesQuery(kind, name));
  if (isPending) return <Loading what="where it is used" />;
  if (data === undefined) {
    return <Failed error={error} what="Where it is used" onRetry={() => void refetch()} />;
  }
  return <UsesList uses={data} />;
}

const MOST = 100;

export function UsesList({ uses }: { uses: Uses }) {
  const { items, runs, unfinished_runs: unfinished } = uses;
  return (
    <>
      {items.length === 0 ? (
        <p>Nothing in the catalog names it.</p>
      ) : (
        <ul className="names uses">
          {items.slice(0, MOST).map((use) => (
            <li key={`${use.kind}/${use.name}${use.pointer}`}>
              <UseLink use={use} />
            </li>
          ))}
          {items.length > MOST && <li>and {count(items.length - MOST)} more</li>}
        </ul>
      )}
      <p className="minor">{runsWords(runs, unfinished)}</p>
    </>
  );
}

function runsWords(runs: number | null, unfinished: number | null): string {
  if (runs === null) return "How many runs were made with it is not known.";
  if (runs === 0) return "No run was made with it.";
  const open = unfinished === null ? "" : `, ${count(unfinished)} of them not finished`;
  return `${plural(runs, "run")} made with it${open}. Each keeps the version that it started with, whatever changes here.`;
}

function UseLink({ use }: { use: Use }) {
  const kind = kindOf(use.kind);
  const said = `${use.name} v${use.version}`;
  return (
    <>
      {kind === undefined ? use.kind : WORDS[kind].one}{" "}
      {kind === undefined ? (
        said
      ) : (
        <Link to="/catalog/$kind/$name" params={{ kind, name: use.name }} className="text-link">
          {said}
        </Link>
      )}{" "}
      <code>{use.pointer}</code>
    </>
  );
}
