import type { ReportSlot } from '@tire/contracts/api';

export type Position = ReportSlot['slot']['position'];
export const POSITIONS: readonly Position[] = ['front_left', 'front_right', 'rear_left', 'rear_right'];
