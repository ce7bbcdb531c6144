export TIRE_BASE_URL={{PUBLIC_API_URL}}
printf 'Test key: ' && read -rs TIRE_API_KEY && export TIRE_API_KEY && echo
