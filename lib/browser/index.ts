// varwire/browser: the client for browsers.
export {};
