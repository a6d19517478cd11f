/** The pages that one can go to. */
import { BookOpen, ListChecks, type LucideIcon, MessagesSquare } from "lucide-react";

export interface Place {
  to: "/runs" | "/corpus" | "/catalog";
  name: string;
  keys: string;
  icon: LucideIcon;
}

export const PLACES: Place[] = [
  { to: "/runs", name: "Runs", keys: "g r", icon: ListChecks },
  { to: "/corpus", name: "Corpus", keys: "g c", icon: MessagesSquare },
  { to: "/catalog", name: "Catalog", keys: "g k", icon: BookOpen },
];
