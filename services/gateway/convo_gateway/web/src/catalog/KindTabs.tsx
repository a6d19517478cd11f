import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { count } from "../format";
import { KINDS, type Kind, WORDS } from "./kinds";
import { sizeQuery } from "./size";

/** The kinds of objects, each with how many there are. */
export function KindTabs({ chosen }: { chosen: Kind }) {
  const sizes = useQueries({ queries: KINDS.map(sizeQuery) });
  return (
    <nav aria-label="Kinds of objects" className="kind-tabs">
      {KINDS.map((kind, at) => {
        const { icon: Icon, many } = WORDS[kind];
        const size = sizes[at]?.data;
        return (
          <Link
            key={kind}
            to="/catalog/$kind"
            params={{ kind }}
            className="kind-tab"
            aria-current={kind === chosen ? "page" : undefined}
          >
            <Icon size={15} aria-hidden />
            {many}
            <span className="chip-count">
              {size === undefined ? "" : `${count(size.least)}${size.more ? "+" : ""}`}
            </span>
          </Link>
        );
      })}
    </nav>
  );
}
