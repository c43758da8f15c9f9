// What a variable that is dragged from the tree carries: its path.
export const DRAGGED_VARIABLE = 'application/x-varwire-variable';
