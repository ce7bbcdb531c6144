import type { Carriers } from './carrier';
import { smtpCarrier } from './smtp';
import { smtpSettings, type SmtpConfiguration } from './smtp.config';

/** Those that the operator configured. */
export function carriersOf(config: SmtpConfiguration): Carriers {
  const smtp = smtpSettings(config);
  return smtp ? { email: smtpCarrier(smtp) } : {};
}
