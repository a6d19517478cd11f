/** The pages that one can go to. */
import { ListChecks, type LucideIcon, MessagesSquare } from "lucide-react";

export interface Place {
  to: "/runs" | "/corpus";
  name: string;
  keys: string;
  icon: LucideIcon;
}

export const PLACES: Place[] = [
  { to: "/runs", name: "Runs", keys: "g r", icon: ListChecks },
  { to: "/corpus", name: "Corpus", keys: "g c", icon: MessagesSquare },
];
