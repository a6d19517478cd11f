/** Who set a reason, by number of the layer. */
export const LAYERS = ["pipeline", "mechanical", "diversity", "judge"] as const;
