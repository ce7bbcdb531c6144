import type { Carriers } from './carrier';
import { smsCarrier } from './sms';
import { smsSettings, type SmsConfiguration } from './sms.config';
import { smtpCarrier } from './smtp';
import { smtpSettings, type SmtpConfiguration } from './smtp.config';

/** Those that the operator configured. */
export function carriersOf(config: SmtpConfiguration & SmsConfiguration): Carriers {
  const smtp = smtpSettings(config);
  const sms = smsSettings(config);
  return { ...(smtp && { email: smtpCarrier(smtp) }), ...(sms && { sms: smsCarrier(sms) }) };
}
