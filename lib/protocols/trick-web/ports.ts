// Where Trick's web server listens by default. Trick: CivetServer.sm

export interface WwwOptions {
  /** Default 8888. */
  readonly port?: number;
  /** Directory whose files are served. Default `www`; when it is not there, a small page of this project's. */
  readonly directory?: string;
}

export const USUAL_WWW: Required<WwwOptions> = { port: 8888, directory: 'www' };
