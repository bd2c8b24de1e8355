import { useQuery } from '@tanstack/react-query';
import { bodyOf, publicApi } from '../../api/public-api';

export const useScenarios = () =>
  useQuery({
    queryKey: ['test', 'scenarios'],
    queryFn: () => bodyOf(publicApi('test').GET('/v4/sandbox/scenarios')),
    staleTime: Infinity,
  });
