// The version of Trick whose wire we speak; clients read its first number.

export const TRICK_VERSION = '25.1.1-beta';
