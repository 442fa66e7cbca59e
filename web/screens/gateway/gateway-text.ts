import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enGateway } from './words/en-gateway.ts';
import { jaGateway } from './words/ja-gateway.ts';

export type GatewayText = ScreenText<typeof enGateway>;

export const useGatewayText = createScreenText<typeof enGateway>({ en: enGateway, ja: jaGateway });
