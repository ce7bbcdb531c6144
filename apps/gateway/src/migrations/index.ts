import { recordedMigrations } from '@tire/platform';
import { Initial1763683200000 } from './1763683200000-initial';
import { RequestLogTail1764061200000 } from './1764061200000-request-log-tail';
import { CaptureSettings1764100000000 } from './1764100000000-capture-settings';
import { TimeZones1764600000000 } from './1764600000000-time-zones';
import { Messages1764700000000 } from './1764700000000-messages';
import { Visits1764710000000 } from './1764710000000-visits';
import { MessageTemplates1764720000000 } from './1764720000000-message-templates';
import { Passkeys1764810000000 } from './1764810000000-passkeys';
import { TextMessages1765000000000 } from './1765000000000-text-messages';
import { Reminders1765010000000 } from './1765010000000-reminders';
import { ExportTurns1765100000000 } from './1765100000000-export-turns';
import { ReportPrices1765110000000 } from './1765110000000-report-prices';
import { RemovablePrices1765120000000 } from './1765120000000-removable-prices';
import { ExportSchedules1765200000000 } from './1765200000000-export-schedules';
import { KakaoKey1765300000000 } from './1765300000000-kakao-key';
import { Erasures1765400000000 } from './1765400000000-erasures';
import { Retention1765500000000 } from './1765500000000-retention';
import { ForgottenReceivers1765600000000 } from './1765600000000-forgotten-receivers';
import { ProjectRules1765700000000 } from './1765700000000-project-rules';

/** Append only, oldest first. Until the first release the initial migration may change; a database of before is refused then. */
export const MIGRATIONS = recordedMigrations([
  Initial1763683200000,
  RequestLogTail1764061200000,
  CaptureSettings1764100000000,
  TimeZones1764600000000,
  Messages1764700000000,
  Visits1764710000000,
  MessageTemplates1764720000000,
  Passkeys1764810000000,
  TextMessages1765000000000,
  Reminders1765010000000,
  ExportTurns1765100000000,
  ReportPrices1765110000000,
  RemovablePrices1765120000000,
  ExportSchedules1765200000000,
  KakaoKey1765300000000,
  Erasures1765400000000,
  Retention1765500000000,
  ForgottenReceivers1765600000000,
  ProjectRules1765700000000,
]);
