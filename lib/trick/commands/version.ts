// The version of Trick whose wire is spoken; clients read its first number.

export const TRICK_VERSION = '25.1.1-beta';
