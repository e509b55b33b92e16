/** Address of the metrics. */
export interface MetricsAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

const ADDRESS = /^(?:(?<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):)?(?<port>\d{1,5})$/;
const PORT_MAX = 65_535;

/**
 * Reads `PORT`, which is of this machine alone, or `HOST:PORT`.
 * @throws TypeError for anything else
 */
export function metricsAddressOf(text: string): MetricsAddress {
  const { host = '127.0.0.1', port = '' } = ADDRESS.exec(text)?.groups ?? {};
  if (port === '' || Number(port) > PORT_MAX)
    throw new TypeError('it is no address: PORT for this machine alone, or HOST:PORT.');
  return { host: host.replaceAll(/^\[|\]$/g, ''), port: Number(port) };
}
