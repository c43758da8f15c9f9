// A certificate for localhost that signs itself, made by openssl.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Certificate files for 127.0.0.1, or why there are none. */
export function selfSigned(folder: string): { cert: string; key: string; ca: string } | string {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    const files = ['-keyout', key, '-out', cert, '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...newKey, ...files, ...subject], { stdio: 'pipe' });
  } catch (error) {
    return `openssl made no certificate: ${(error as Error).message.split('\n')[0]}`;
  }
  return { cert, key, ca: readFileSync(cert, 'utf8') };
}
