import { EngineError } from '../../errors.ts';

export function refuse(message: string): never {
  throw new EngineError('captions-invalid', `the captions are refused: ${message}`);
}
