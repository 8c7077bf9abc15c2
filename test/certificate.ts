// A certificate for this machine, made here and now: a key in the repository would be public.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export function makeCertificate(folder: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const names = 'subjectAltName=DNS:hub.example,IP:127.0.0.1'
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', [...request, '-subj', '/CN=hub', '-addext', names, '-keyout', key, '-out', cert], {
    stdio: 'pipe',
  })
  return { cert, key }
}
