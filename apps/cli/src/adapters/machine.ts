export { describeMachine } from '@skillpack/cli-dist';
